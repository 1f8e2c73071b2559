/**
 * A page's access to the server: its own worker, or the leader page's. Runtimes of the page with the same scope share
 * one instance, which is a candidate for leader while any of them is open. Leadership is a Web Lock, so another page
 * takes over at once when the leader closes, crashes or is suspended.
 */

import { WorkerLostError } from "../errors.ts";
import type { ResolvedOptions } from "../options/resolve-options.ts";
import { holdLock } from "../protocol/liveness/liveness.ts";
import { type Broker, openBroker, openPrivateBroker } from "./broker.ts";
import { LatestCalls } from "./latest-calls.ts";
import { privateScopeOf } from "./messages.ts";
import { watchPageLifecycle } from "./page-lifecycle.ts";
import type { ServerClient } from "./server-client.ts";
import { MAX_STARTS, ServerWorker } from "./server-worker.ts";

type WorkerURLs = ResolvedOptions["workerURLs"];

const SUSPENDED = "The browser suspended this page. Send the request again.";
const shared = new Map<string, PageServer>();

export class PageServer {
  readonly #scope: string | undefined;
  readonly #workerURLs: WorkerURLs;
  /** In order of arrival. */
  readonly #clients = new Set<ServerClient>();
  /** Candidacy or leadership; its abort gives up both. */
  #candidacy: AbortController | undefined;
  #broker: Broker | undefined;
  #leads = false;
  #worker: ServerWorker | undefined;
  /** Workers started since one was last ready. */
  #starts = 0;
  /** Received before this page led. */
  readonly #calls = new LatestCalls();
  #resumed = Promise.resolve();
  /** Resolves `#resumed`; set while suspended. */
  #endSuspension: (() => void) | undefined;

  private constructor(scope: string | undefined, workerURLs: WorkerURLs) {
    this.#scope = scope;
    this.#workerURLs = workerURLs;
  }

  /**
   * @param scope lock of the pages that share a server, or undefined for a private server
   * @param end aborts when the client of a private server has closed
   */
  static of(scope: string | undefined, workerURLs: WorkerURLs, end: AbortSignal): PageServer {
    const known = scope === undefined ? undefined : shared.get(scope);
    if (known) return known;
    const server = new PageServer(scope, workerURLs);
    if (scope !== undefined) shared.set(scope, server);
    const listener = {
      onSuspend: (isCached: boolean) => server.#suspend(isCached),
      onResume: () => server.#resume(),
    };
    // A shared one is watched for good: the map also lives as long as the page.
    watchPageLifecycle(listener, scope === undefined ? end : undefined);
    return server;
  }

  /** Pending while the page is suspended. */
  get resumed(): Promise<void> {
    return this.#resumed;
  }

  get isSuspended(): boolean {
    return this.#endSuspension !== undefined;
  }

  /** Adds a client and becomes a candidate if not one already. */
  join(client: ServerClient): void {
    this.#clients.add(client);
    this.#campaign();
  }

  /** Removes a client; the last one gives up candidacy and the server. */
  leave(client: ServerClient): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.#resign();
  }

  /** A port to the server. Pending if there is no leader; retry on `onMoved`. */
  async port(): Promise<MessagePort | undefined> {
    return this.#leads ? this.#openPort() : this.#broker?.call?.();
  }

  /**
   * The server does not answer: this page's own is replaced. A leader that opens no port either, though the broker runs,
   * is suspended, as in the background on phones: this page leads. Once that page runs again, it gives up its server.
   * `serverLock` is that of a server that has answered before, which may be an earlier leader's.
   */
  onSilence(serverLock?: string): void {
    if (this.#leads) this.#worker?.endIfStarted(serverLock);
    else if (!serverLock && this.#broker?.isOpen && !this.isSuspended) this.#awaitLead(true);
  }

  /** A client's hello was accepted. */
  connected(): void {
    this.#worker?.markAlive();
    this.#starts = 0;
  }

  #notify(call: (client: ServerClient) => void): void {
    for (const client of [...this.#clients]) call(client);
  }

  #move(): void {
    this.#notify((client) => client.onMoved());
  }

  #campaign(): void {
    if (this.#leads || this.#candidacy) return;
    if (this.#scope !== undefined) {
      this.#broker = openBroker(this.#scope, this.#workerURLs.broker, {
        onOpen: () => (this.#leads ? this.#broker?.lead() : this.#move()),
        onLeader: () => this.#move(),
        onCall: (...call) => this.#onCall(...call),
        onFailure: () => this.#startPrivate(),
        // A leader stays the leader: service workers find it without a broker.
        onUnresponsive: () => this.#leads || this.#startPrivate(),
      });
    }
    if (!this.#broker) this.#startPrivate();
    else this.#awaitLead(false);
  }

  #awaitLead(steal: boolean): void {
    this.#candidacy?.abort();
    this.#candidacy = new AbortController();
    const { signal } = this.#candidacy;
    const onStolen = (): void => {
      if (this.#leads) this.#giveUp();
    };
    holdLock(this.#scope!, signal, { steal, onStolen })
      .then(() => signal.aborted || this.#lead())
      .catch(() => signal.aborted || this.#startPrivate());
  }

  /** Another page has taken the lead, as this one did not answer. */
  #giveUp(): void {
    this.#resign();
    this.#notify((client) => client.onFailure(new WorkerLostError(SUSPENDED)));
    this.#resume();
  }

  #lead(): void {
    this.#leads = true;
    this.#notify((client) => client.onLead());
    for (const call of this.#calls.take()) this.#onCall(call);
    this.#broker?.lead();
  }

  /** No broker is available, so this page has a private server, which service workers find by a lock of its own. */
  #startPrivate(): void {
    const [candidacy, broker] = [this.#candidacy, this.#broker];
    this.#broker = undefined;
    this.#leads = true;
    // They call pages, not workers.
    if (this.#scope !== undefined && !("WorkerGlobalScope" in globalThis)) {
      const scope = privateScopeOf(this.#scope);
      this.#candidacy = new AbortController();
      const { signal } = this.#candidacy;
      // Of several such pages, the one with the lock answers: after its end the next one says so.
      holdLock(scope, signal)
        .then(() => {
          if (signal.aborted) return;
          this.#broker = openPrivateBroker(scope, (...call) => this.#onCall(...call));
          this.#broker.lead();
        })
        .catch(() => {});
    }
    candidacy?.abort();
    broker?.close();
    this.#move();
  }

  #resign(): void {
    this.#candidacy?.abort();
    this.#candidacy = undefined;
    this.#leads = false;
    for (const call of this.#calls.take()) call.close();
    this.#starts = 0;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#broker?.close();
    this.#broker = undefined;
  }

  #onCall(call: MessagePort, isServiceWorker = false): void {
    if (this.#leads) call.postMessage(null, [this.#openPort()]);
    else this.#calls.add(call);
    // Its requests may have this page's key, which the server must know.
    if (isServiceWorker) this.#notify((client) => client.onResume());
  }

  #openPort(): MessagePort {
    this.#notify((client) => client.onPortOpened());
    const [first] = this.#clients;
    this.#worker ??= new ServerWorker(this.#workerURLs.server, first!.serverOptions, this.#starts++, {
      onReady: () => (this.#starts = 0),
      onEnd: (error) => this.#onWorkerEnd(error),
    });
    return this.#worker.port();
  }

  #onWorkerEnd(error?: Error): void {
    this.#worker = undefined;
    if (this.#starts > 0 && (error || this.#starts >= MAX_STARTS)) {
      const clients = [...this.#clients];
      // This page cannot start the server: step down so that another page can try.
      this.#clients.clear();
      this.#resign();
      const reason =
        error ??
        new WorkerLostError(`The server worker crashed ${MAX_STARTS} times at startup. Reload the page.`);
      for (const client of clients) client.onFailure(reason);
      return;
    }
    if (error) this.#notify((client) => client.onFailure(error));
    else this.#move();
    // Pages waiting for the dead server call again, which starts another.
    this.#broker?.lead();
  }

  #suspend(isCached: boolean): void {
    const hadLed = this.#leads;
    if (!this.#endSuspension) {
      this.#resumed = new Promise((resolve) => {
        this.#endSuspension = resolve;
      });
    }
    this.#resign();
    if (hadLed || isCached) {
      this.#notify((client) => client.onFailure(new WorkerLostError(SUSPENDED)));
    }
    this.#move();
  }

  #resume(): void {
    this.#endSuspension?.();
    this.#endSuspension = undefined;
    if (this.#clients.size === 0) return;
    this.#campaign();
    this.#notify((client) => client.onResume());
  }
}
