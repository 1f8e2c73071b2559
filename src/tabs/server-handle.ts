/** A runtime's connection to the server, reopened when the server dies or moves to another page. */

import { RuntimeClosedError, WorkerLostError } from "../errors.ts";
import type { ResolvedOptions } from "../options/resolve-options.ts";
import { Connection } from "../port/connection.ts";
import type { PageIdentity } from "../port/hello.ts";
import type { RuntimeEvent } from "../protocol/events.ts";
import { AwakeTimeout } from "../protocol/liveness/awake-timeout.ts";
import type { ServerOptions } from "../protocol/options/server-options.ts";
import { PageServer } from "./page-server.ts";
import type { ServerClient } from "./server-client.ts";

/** Pause between two searches for a server without a request; doubles while servers end within it. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/** The leader's page opens a port at once, if it runs. */
const PORT_LIMIT_MS = 15_000;
/** Its server may be starting, over a slow network. More than one of its parts may take, whose error says more. */
const HELLO_LIMIT_MS = 150_000;

/** `scope`: lock of the pages that share a server, or undefined for a private server. */
type ServerSource = Pick<ResolvedOptions, "server" | "workerURLs"> & { scope: string | undefined };

export class ServerHandle implements ServerClient {
  readonly serverOptions: ServerOptions;
  readonly #server: PageServer;
  readonly #isShared: boolean;
  readonly #page: PageIdentity;
  readonly #onEvent: (event: RuntimeEvent) => void;
  readonly #end = new AbortController();
  /** All live connections. */
  readonly #connections = new Set<Connection>();
  #current: Connection | undefined;
  #watchesStats = false;
  #opening: Promise<Connection> | undefined;
  #pauseMs = MIN_PAUSE_MS;
  #pausesUntilMs = 0;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  /** Makes a pending attempt look up the leader again. */
  #wake = (): void => {};

  constructor(
    { server, workerURLs, scope }: ServerSource,
    page: PageIdentity,
    onEvent: (event: RuntimeEvent) => void,
  ) {
    this.serverOptions = server;
    this.#server = PageServer.of(scope, workerURLs, this.#end.signal);
    this.#isShared = scope !== undefined;
    this.#page = page;
    this.#onEvent = onEvent;
  }

  /**
   * Returns the connection to the server, opening it if needed.
   *
   * @throws {WorkerLostError | RuntimeOptionsConflictError | ProtocolVersionError | RuntimeClosedError}
   */
  connection(): Promise<Connection> {
    if (this.#opening) return this.#opening;
    const opening = this.#open().catch((error) => {
      // A page that cannot use the server must not provide one.
      if (this.#opening === opening) this.#opening = undefined;
      this.#server.leave(this);
      throw error;
    });
    this.#opening = opening;
    return opening;
  }

  /** Rejects all pending calls, and ends the server if no other runtime of the page uses it. */
  close(): void {
    this.#end.abort();
    clearTimeout(this.#reopening);
    this.#server.leave(this);
    this.onFailure(new RuntimeClosedError());
    this.#wake();
  }

  /** Whether stats events are wanted, from this server and those after it. */
  watchStats(isWatched: boolean): void {
    this.#watchesStats = isWatched;
    this.#current?.watchStats(isWatched);
  }

  onMoved(): void {
    this.#wake();
  }

  onLead(): void {
    // The open connection is to the previous leader's server: it closes once everything is read.
    if (this.#current) this.#opening = this.#current = undefined;
    this.#wake();
    this.connection().catch(() => {});
  }

  onFailure(error: Error): void {
    for (const connection of this.#connections) connection.fail(error);
  }

  onResume(): void {
    // The open connection may be to a server that has just ended: the next one is joined without a pause.
    this.#pausesUntilMs = 0;
    this.connection().catch(() => {});
  }

  onPortOpened(): void {
    this.#current?.check();
  }

  async #open(): Promise<Connection> {
    const { signal } = this.#end;
    const closed = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    while (true) {
      await Promise.race([this.#server.resumed, closed]);
      if (signal.aborted) throw new RuntimeClosedError();
      this.#server.join(this);
      const moved = new Promise<undefined>((wake) => {
        this.#wake = () => wake(undefined);
      });
      const port = await this.#inTime(PORT_LIMIT_MS, moved, (over) =>
        Promise.race([this.#server.port(), over]),
      );
      const connection =
        port && (await this.#inTime(HELLO_LIMIT_MS, moved, (over) => this.#tryPort(port, over)));
      if (connection) return connection;
    }
  }

  /** Takes the lead if `attempt` is not over in time; it gives up when its argument resolves. */
  async #inTime<T>(
    limitMs: number,
    moved: Promise<undefined>,
    attempt: (over: Promise<undefined>) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    let timeout!: AwakeTimeout;
    const late = new Promise<undefined>((resolve) => {
      timeout = new AwakeTimeout(limitMs, () => {
        if (!this.#end.signal.aborted) this.#server.onSilence();
        // In another task: the attempt fails first if no server starts, and says why.
        setTimeout(() => resolve(undefined));
      });
    });
    try {
      return await attempt(Promise.race([moved, late]));
    } finally {
      timeout.clear();
    }
  }

  /** Undefined if the server died, or `over` resolves first. */
  async #tryPort(port: MessagePort, over: Promise<undefined>): Promise<Connection | undefined> {
    let attempt!: Connection;
    const opened = Connection.open(port, this.#page, this.#onEvent, (connection) => {
      attempt = connection;
      this.#connections.add(connection);
      connection.onLost(() => this.#onLost(connection));
    }).catch((error) => {
      // The page was suspended meanwhile: reconnect on resume.
      if (this.#server.isSuspended) return undefined;
      throw error;
    });
    this.#current = await Promise.race([opened, over]);
    if (this.#current) {
      if (this.#watchesStats) this.#current.watchStats(true);
      this.#server.connected();
      return this.#current;
    }
    opened.catch(() => {});
    attempt.fail(new WorkerLostError());
    return undefined;
  }

  #onLost(connection: Connection): void {
    this.#connections.delete(connection);
    if (connection.silentServer) this.#server.onSilence(connection.silentServer);
    if (this.#current !== connection) return;
    this.#opening = this.#current = undefined;
    if (this.#isShared) this.#reopen();
  }

  /** Also without a request: listeners get events of other pages, and the server must know this page's key. */
  #reopen(): void {
    if (this.#end.signal.aborted) return;
    const nowMs = performance.now();
    const waitMs = Math.max(0, this.#pausesUntilMs - nowMs);
    this.#pauseMs = waitMs > 0 ? Math.min(2 * this.#pauseMs, MAX_PAUSE_MS) : MIN_PAUSE_MS;
    this.#pausesUntilMs = nowMs + waitMs + this.#pauseMs;
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => {
      if (!this.#server.isSuspended) this.connection().catch(() => {});
    }, waitMs);
  }
}
