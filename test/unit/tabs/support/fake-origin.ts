/**
 * An origin in Node: each page is its own copy of the package's page side, all share locks, a broker and the server
 * workers that they start. The protocol between page and server is the real one; the app runs on a fake engine.
 * The pages also share comlink's registry, unlike in browsers: bodies must be text, of which requests keep a copy.
 */

import { vi } from "vitest";
import type { RuntimeOptions } from "../../../../src/options/runtime-options.ts";
import type { ConnectMessage, LifeMessage } from "../../../../src/protocol/liveness/server-life.ts";
import { PACKAGE_VERSION } from "../../../../src/protocol/package-version.ts";
import type { Rpc } from "../../../../src/protocol/rpc/rpc.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { findLeader } from "../../../../src/service-worker/leader.ts";
import { type BrokerMessage, scopePrefix } from "../../../../src/tabs/messages.ts";
import { createApp } from "../../../../worker/server/app.ts";
import { Connections } from "../../../../worker/server/connections.ts";
import { Pages } from "../../../../worker/server/pages.ts";
import { KeyRing } from "../../../../worker/usage/keys/key-ring.ts";
import { FakeWebLocks } from "../../../fakes/fake-web-locks.ts";
import { testApp } from "../../../support/test-app.ts";

/** A server that a page started. */
interface FakeServer {
  keys: KeyRing;
  /** Ends the worker without notice, as in a crash. */
  crash(): void;
  /** It handles no message any more, and neither does its page those of the broker, until the returned function is called. */
  suspend(): () => void;
  /** It handles no message any more; its page runs. */
  hang(): void;
}

interface BrokerPort {
  onmessage?: (event: { data: BrokerMessage }) => void;
  postMessage(message: BrokerMessage): void;
}

export interface FakeOrigin {
  /** In the order of their starts. */
  servers: FakeServer[];
  /** The broker handles no message, as one that is still loading, until the returned function is called. */
  delayBroker(): () => void;
  /** The next workers hang once they have started. */
  hangStarts(count: number): void;
  /** A service worker looks for the server: it calls every page. */
  callPages(): Promise<void>;
  openPage(options?: RuntimeOptions): Promise<Runtime>;
}

/** Stubs the globals of a page; `vi.unstubAllGlobals()` removes them. */
export async function fakeOrigin(rpc: Partial<Rpc> = {}): Promise<FakeOrigin> {
  const { services } = await testApp();
  const locks = new FakeWebLocks();
  const servers: FakeServer[] = [];
  let hanging = 0;

  class FakeWorker {
    onmessage?: (event: { data: LifeMessage }) => void;
    readonly #ports: MessagePort[] = [];
    readonly #held: (() => void)[] = [];
    #isSuspended = false;
    #end = (): void => {};
    #connections: Connections | undefined;

    postMessage(given: ConnectMessage, transfer: Transferable[]): void {
      const message = structuredClone(given, { transfer });
      const { port1: near, port2: far } = new MessageChannel();
      const pass =
        (to: MessagePort) =>
        ({ data, ports }: MessageEvent): void =>
          this.#whenAwake(() => to.postMessage(data, [...ports]));
      message.port.onmessage = pass(near);
      near.onmessage = pass(message.port);
      this.#ports.push(message.port, near);
      this.#connections ??= this.#start(message);
      this.#connections.accept(far);
    }

    #whenAwake(handle: () => void): void {
      if (this.#isSuspended) this.#held.push(handle);
      else handle();
    }

    #hang(): void {
      this.#isSuspended = true;
    }

    #suspend(): () => void {
      const page = leader!;
      this.#isSuspended = true;
      suspended.add(page);
      return () => {
        this.#isSuspended = false;
        suspended.delete(page);
        for (const handle of this.#held.splice(0)) {
          try {
            handle();
          } catch {
            // A call brings a port that its page has closed meanwhile.
          }
        }
      };
    }

    #start({ options, serverLock }: ConnectMessage): Connections {
      const [keys, pages] = [new KeyRing(), new Pages()];
      const workerLock = `worker:${crypto.randomUUID()}`;
      const ended = new Promise<void>((end) => {
        this.#end = end;
      });
      void locks.request(workerLock, () => ended);
      servers.push({
        keys,
        crash: () => this.terminate(),
        suspend: () => this.#suspend(),
        hang: () => this.#hang(),
      });
      if (hanging-- > 0) this.#hang();
      setTimeout(() => {
        this.onmessage?.({ data: { type: "started", workerLock, version: PACKAGE_VERSION } });
        if (!this.#isSuspended) this.onmessage?.({ data: { type: "ready", workerLock } });
      });
      return new Connections({
        app: createApp(services, keys),
        pages,
        keys,
        clock: services.clock,
        serverLock,
        options,
        rpc: rpc as Rpc,
        reverseUsage: async () => {},
        costUsd: async () => 0,
      });
    }

    terminate(): void {
      this.#end();
      for (const port of this.#ports) port.close();
    }
  }

  const pages = new Set<BrokerPort>();
  const suspended = new Set<BrokerPort>();
  let leader: BrokerPort | undefined;
  const hear = (page: BrokerPort, data: BrokerMessage): void => {
    if (data.type === "join") page.onmessage?.({ data: { type: "hello", lock: brokerLock } });
    if (data.type === "call" && leader && !suspended.has(leader)) leader.onmessage?.({ data });
    if (data.type === "lead") {
      leader = page;
      for (const one of pages) if (one !== page) one.onmessage?.({ data });
    }
    if (data.type !== "leave") return;
    pages.delete(page);
    if (leader === page) leader = undefined;
  };
  const brokerLock = `broker:${crypto.randomUUID()}`;
  void locks.request(brokerLock, () => new Promise(() => {}));
  let delayed: (() => void)[] | undefined;
  function SharedWorker() {
    const receive = (message: BrokerMessage): unknown =>
      delayed ? delayed.push(() => hear(port, message)) : hear(port, message);
    const port: BrokerPort = { postMessage: (message) => void setTimeout(() => receive(message)) };
    pages.add(port);
    return { port };
  }

  const serviceWorker = Object.assign(new EventTarget(), { controller: null, startMessages() {} });
  vi.stubGlobal("navigator", { locks, serviceWorker });
  vi.stubGlobal("location", new URL("https://app.test/"));
  vi.stubGlobal("origin", "https://app.test");
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("fetch", async () => new Response("script"));
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("SharedWorker", SharedWorker);
  return {
    servers,
    delayBroker() {
      const held: (() => void)[] = [];
      delayed = held;
      return () => {
        delayed = undefined;
        for (const handle of held) handle();
      };
    },
    hangStarts(count) {
      hanging = count;
    },
    async callPages() {
      const infetch = await findLeader(scopePrefix("infetch"));
      // Each page gets a port of its own.
      const data = {
        infetch,
        type: "call",
        isServiceWorker: true,
        get port() {
          return new MessageChannel().port2;
        },
      };
      serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data }));
    },
    async openPage(options) {
      vi.resetModules();
      const { createRuntime } = await import("../../../../src/runtime.ts");
      return createRuntime(options);
    },
  };
}

export async function listModels({ fetch, baseURL, apiKey }: Runtime): Promise<number> {
  const response = await fetch(`${baseURL}/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  return response.status;
}
