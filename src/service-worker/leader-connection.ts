/** The service worker's connection to the leader page's server. */

import { WorkerLostError } from "../errors.ts";
import { Connection } from "../port/connection.ts";
import { callLeader, findLeader, untilLeaderless } from "./leader.ts";

/** No page of this origin runs infetch. */
export class NoPageError extends Error {
  override name = "NoPageError" as const;
}

export class LeaderConnection {
  readonly #prefix: string;
  readonly #basePath: string;
  #opening: Promise<Connection> | undefined;

  /**
   * @param prefix common prefix of the leader locks
   * @param basePath of the requests, without a trailing slash
   */
  constructor(prefix: string, basePath: string) {
    this.#prefix = prefix;
    this.#basePath = basePath;
  }

  /** @throws {NoPageError} | {ProtocolVersionError} */
  connection(): Promise<Connection> {
    if (this.#opening) return this.#opening;
    const opening = this.#open();
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    opening.then((connection) => connection.onLost(forget), forget);
    this.#opening = opening;
    return opening;
  }

  async #open(): Promise<Connection> {
    while (true) {
      const name = await findLeader(this.#prefix);
      if (name === undefined) throw new NoPageError();
      const attempt = new AbortController();
      const channel = new BroadcastChannel(name);
      const moved = new Promise<undefined>((resolve) => {
        // Another page leads now: calls to the previous leader get no response.
        channel.onmessage = () => resolve(undefined);
        untilLeaderless(name, attempt.signal).then(
          () => resolve(undefined),
          () => {},
        );
      });
      try {
        const port = await Promise.race([
          callLeader(name, { isServiceWorker: true, signal: attempt.signal }),
          moved,
        ]);
        const connection = port && (await this.#hello(port, moved));
        if (connection) return connection;
      } finally {
        attempt.abort();
        channel.close();
      }
    }
  }

  /** Undefined if another page leads before the server answers. */
  async #hello(port: MessagePort, moved: Promise<undefined>): Promise<Connection | undefined> {
    const page = { pageId: crypto.randomUUID(), basePath: this.#basePath };
    let attempt!: Connection;
    const opened = Connection.open(
      port,
      page,
      () => {},
      (connection) => {
        attempt = connection;
      },
    );
    const connection = await Promise.race([opened, moved]);
    if (!connection) attempt.fail(new WorkerLostError());
    return connection;
  }
}
