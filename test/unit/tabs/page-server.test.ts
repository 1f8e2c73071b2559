/** The server of one page: whose calls it answers, and when it is given up. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findLeader, untilLeaderless } from "../../../src/service-worker/leader.ts";
import { scopePrefix } from "../../../src/tabs/messages.ts";
import { PageServer } from "../../../src/tabs/page-server.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

const URLS = {
  server: new URL("https://app.test/server.js"),
  broker: new URL("https://app.test/broker.js"),
} as Parameters<typeof PageServer.of>[1];

const connects = vi.fn();
const terminates = vi.fn();
let locks: FakeWebLocks;
let serviceWorker: EventTarget;
/** The page's window. */
let page: EventTarget;

beforeEach(() => {
  vi.clearAllMocks();
  [locks, serviceWorker, page] = [new FakeWebLocks(), new EventTarget(), new EventTarget()];
  Object.assign(serviceWorker, { controller: null, startMessages() {} });
  vi.stubGlobal("navigator", { locks, serviceWorker });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("fetch", async () => new Response("script"));
  vi.stubGlobal("location", new URL("https://app.test/"));
  vi.stubGlobal("SharedWorker", function SharedWorker() {
    return { port: { postMessage() {} } };
  });
  vi.stubGlobal(
    "Worker",
    class {
      postMessage = connects;
      terminate = terminates;
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

function open(scope: string | undefined) {
  const end = new AbortController();
  const server = PageServer.of(scope, URLS, end.signal);
  const client = {
    serverOptions: { engineURLs: {} } as never,
    onMoved: vi.fn(),
    onLead: vi.fn(),
    onFailure: vi.fn(),
    onResume: vi.fn(),
    onPortOpened: vi.fn(),
  };
  server.join(client);
  const close = (): void => {
    end.abort();
    server.leave(client);
  };
  return { server, client, close };
}

/** Holds a lock, as another page. @returns what releases it */
function holdElsewhere(name: string): () => void {
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks.request(name, () => released);
  return release;
}

test("a page that comes to lead opens ports for the latest calls alone: others are answered", async () => {
  const stepDown = holdElsewhere("scope");
  const { close } = open("scope");
  const answered: number[] = [];
  const callers: MessagePort[] = [];
  for (let call = 0; call < 100; call++) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ ports }) => {
      answered.push(call);
      ports[0]!.close();
    };
    callers.push(port1);
    const data = { infetch: "scope", type: "call", port: port2 };
    serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  stepDown();
  await vi.waitFor(() => expect(answered.at(-1)).toBe(99));
  expect(answered).toEqual([92, 93, 94, 95, 96, 97, 98, 99]);
  expect(connects).toHaveBeenCalledTimes(8);
  close();
  for (const port of callers) port.close();
});

test("a page that follows joins the server that a service worker looks for: requests there may have its key", async () => {
  const stepDown = holdElsewhere("scope");
  const { client, close } = open("scope");
  const { port1, port2 } = new MessageChannel();
  const call = { infetch: "scope", type: "call", port: port2 };
  const receive = (data: object) =>
    serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data }));
  // Another page's, which the service worker relays.
  receive({ ...call, isServiceWorker: false });
  expect(client.onResume).not.toHaveBeenCalled();
  receive({ ...call, isServiceWorker: true });
  expect(client.onResume).toHaveBeenCalledOnce();
  close();
  stepDown();
  port1.close();
});

test.each([
  ["whose broker fails", true],
  ["without a broker", false],
])("a page %s has a server of its own, which service workers find by its lock", async (_, hasBroker) => {
  let worker: { onerror?: () => void } = {};
  const post = vi.fn();
  function SharedWorker() {
    worker = { port: { postMessage: post } } as typeof worker;
    return worker;
  }
  vi.stubGlobal("SharedWorker", hasBroker ? SharedWorker : undefined);
  const scope = `${scopePrefix("notes")}${"0".repeat(64)}`;
  const { close } = open(scope);
  if (hasBroker) {
    await vi.waitFor(async () => expect(await findLeader(scopePrefix("notes"))).toBe(scope));
    worker.onerror!();
  }
  const alone = `${scope}:alone`;
  await vi.waitFor(async () => expect(await findLeader(scopePrefix("notes"))).toBe(alone));
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<MessagePort>((resolve) => {
    port1.onmessage = ({ ports }) => resolve(ports[0]!);
  });
  const data = { infetch: alone, type: "call", port: port2 };
  serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data }));
  (await answered).close();
  port1.close();
  const ended = untilLeaderless(alone, new AbortController().signal);
  close();
  await ended;
  expect(await findLeader(scopePrefix("notes"))).toBeUndefined();
});

test("a runtime in a worker, which service workers cannot call, is not found by them", async () => {
  vi.stubGlobal("SharedWorker", undefined);
  vi.stubGlobal("WorkerGlobalScope", class {});
  const { server, close } = open("scope of a worker");
  (await server.port())!.close();
  expect(await locks.query()).toMatchObject({
    held: [{ name: expect.stringContaining(":server:") }],
    pending: [],
  });
  close();
});

test("the server of a page alone that ends is reported to service workers that wait for it", async () => {
  const workers: { onerror: (event: object) => void }[] = [];
  vi.stubGlobal("SharedWorker", undefined);
  vi.stubGlobal(
    "Worker",
    class {
      postMessage = connects;
      terminate = terminates;
      onerror = (_: object): void => {};
      constructor() {
        workers.push(this);
      }
    },
  );
  const { server, close } = open("a scope of one page");
  const heard = new Promise<unknown>((resolve) => {
    const channel = new BroadcastChannel("a scope of one page:alone");
    channel.onmessage = ({ data }) => {
      channel.close();
      resolve(data);
    };
  });
  (await server.port())!.close();
  server.connected();
  workers[0]!.onerror({ message: "out of memory", preventDefault() {} });
  expect(await heard).toBe("lead");
  close();
});

test("of several pages alone, one answers a service worker; after its end the next one says so and answers", async () => {
  vi.stubGlobal("SharedWorker", undefined);
  const alone = "a scope of several pages:alone";
  const endOther = holdElsewhere(alone);
  const { close } = open("a scope of several pages");
  const call = (onAnswer: (port: MessagePort) => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ ports }) => onAnswer(ports[0]!);
    const data = { infetch: alone, type: "call", port: port2 };
    serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data }));
    return port1;
  };
  const answeredEarly = vi.fn();
  const early = call(answeredEarly);
  const heard = new Promise<unknown>((resolve) => {
    const channel = new BroadcastChannel(alone);
    channel.onmessage = ({ data }) => {
      channel.close();
      resolve(data);
    };
  });
  endOther();
  expect(await heard).toBe("lead");
  let late!: MessagePort;
  const port = await new Promise<MessagePort>((resolve) => {
    late = call(resolve);
  });
  expect(answeredEarly).not.toHaveBeenCalled();
  close();
  for (const one of [early, late, port]) one.close();
});

const transition = (type: string, persisted: boolean) => Object.assign(new Event(type), { persisted });

test.each([undefined, "scope of the page"])(
  "a cached page has no server until it is back (%s)",
  async (scope) => {
    const { server, client, close } = open(scope);
    await vi.waitFor(async () => expect(await Promise.race([server.port(), null])).not.toBeNull());
    page.dispatchEvent(transition("pagehide", false));
    expect(terminates).not.toHaveBeenCalled();
    page.dispatchEvent(transition("pagehide", true));
    expect(terminates).toHaveBeenCalledOnce();
    expect(client.onFailure).toHaveBeenCalledOnce();
    expect(server.isSuspended).toBe(true);
    page.dispatchEvent(transition("pageshow", true));
    await server.resumed;
    expect(client.onResume).toHaveBeenCalledOnce();
    close();
  },
);

test("a private server is watched no longer than its runtime is open", () => {
  const { server, close } = open(undefined);
  close();
  page.dispatchEvent(transition("pagehide", true));
  expect(server.isSuspended).toBe(false);
});
