/** The server of one page: whose calls it answers, and when it is given up. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
