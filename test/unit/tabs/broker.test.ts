/** A SharedWorker that never speaks, as in Firefox after the process that ran it was killed. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchLock } from "../../../src/protocol/liveness/liveness.ts";
import { openBroker } from "../../../src/tabs/broker.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

const URL_OF_BROKER = new URL("https://app.test/infetch/worker/broker.js");
const LONG_MS = 60_000;
let port: { onmessage?: (event: { data: unknown }) => void; postMessage(message: unknown): void };
let worker: { port: typeof port; onerror?: () => void };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  port = { postMessage() {} };
  vi.stubGlobal("SharedWorker", function SharedWorker() {
    worker = { port };
    return worker;
  });
  vi.stubGlobal("navigator", { locks: { request: () => new Promise(() => {}) } });
  vi.stubGlobal("fetch", async () => new Response("script"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open() {
  const events = {
    onOpen: vi.fn(),
    onLeader: vi.fn(),
    onCall: vi.fn(),
    onFailure: vi.fn(),
    onUnresponsive: vi.fn(),
  };
  return { events, broker: openBroker("scope", URL_OF_BROKER, events)! };
}

/** Lets time and the messages of Node's own channels pass. */
async function pass(): Promise<void> {
  for (let step = 0; step < 4; step++) {
    await vi.advanceTimersByTimeAsync(LONG_MS);
    await new Promise((over) => setImmediate(over));
    await new Promise((over) => setImmediate(over));
  }
}

test("a broker that stays silent is reported, so that no page waits for it", async () => {
  const { broker, events } = open();
  await pass();
  expect(events.onUnresponsive).toHaveBeenCalledOnce();
  broker.close();
});

test("a broker that has said hello is not reported, however quiet it is afterwards", async () => {
  const { broker, events } = open();
  port.onmessage!({ data: { type: "hello", lock: "lock" } });
  await pass();
  expect(events.onUnresponsive).not.toHaveBeenCalled();
  broker.close();
});

test("a broker that was closed is not reported", async () => {
  const { broker, events } = open();
  broker.close();
  await pass();
  expect(events.onUnresponsive).not.toHaveBeenCalled();
});

test("a broker that fails is reported, but not once it was closed: its page may have another by then", () => {
  const { broker, events } = open();
  worker.onerror!();
  expect(events.onFailure).toHaveBeenCalledOnce();
  broker.close();
  worker.onerror!();
  expect(events.onFailure).toHaveBeenCalledOnce();
});

test("a page tells each broker the lock that it holds until it leaves", async () => {
  const locks = new FakeWebLocks();
  vi.stubGlobal("navigator", { locks });
  const told: { type: string; lock?: string }[] = [];
  port.postMessage = (message) => told.push(message as never);
  const { broker } = open();
  await vi.waitFor(() => expect(told.map(({ type }) => type)).toEqual(["join"]));
  const onEnd = vi.fn();
  watchLock(told[0]!.lock!, onEnd);
  // Its lock is free: that broker has ended, and another one starts.
  port.onmessage!({ data: { type: "hello", lock: "broker" } });
  await vi.waitFor(() => expect(told).toEqual([told[0], told[0]]));
  expect(onEnd).not.toHaveBeenCalled();
  broker.close();
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
});

/** A page without a SharedWorker. @returns the ports of its calls, which its service worker gets */
function stubServiceWorker(): MessagePort[] {
  const calls: MessagePort[] = [];
  const postMessage = ({ port }: { port?: MessagePort }): void => void (port && calls.push(port));
  const controller = { postMessage };
  const serviceWorker = Object.assign(new EventTarget(), { controller, startMessages() {} });
  vi.stubGlobal("SharedWorker", undefined);
  vi.stubGlobal("navigator", { serviceWorker });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return calls;
}

test("a service worker that relays no call, such as an app's own, is reported", async () => {
  stubServiceWorker();
  const { broker, events } = open();
  void broker.call();
  vi.advanceTimersByTime(LONG_MS);
  expect(events.onUnresponsive).toHaveBeenCalledOnce();
  broker.close();
});

test("a service worker that has relayed a call is not reported; then a leader that does not answer is suspended", async () => {
  const calls = stubServiceWorker();
  const { broker, events } = open();
  const answered = broker.call();
  const { port1, port2 } = new MessageChannel();
  calls[0]!.postMessage(null, [port2]);
  (await answered).close();
  port1.close();
  vi.advanceTimersByTime(LONG_MS);
  expect(broker.isOpen).toBe(true);
  expect(events.onUnresponsive).not.toHaveBeenCalled();
  broker.close();
});

test("a page that has left reports no service worker", () => {
  stubServiceWorker();
  const { broker, events } = open();
  broker.close();
  vi.advanceTimersByTime(LONG_MS);
  expect(events.onUnresponsive).not.toHaveBeenCalled();
});

test("through a service worker, a page hears that the leader's server was started again, and calls again", async () => {
  vi.stubGlobal("SharedWorker", undefined);
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: { postMessage() {} },
    startMessages() {},
  });
  vi.stubGlobal("navigator", { serviceWorker });
  const [leader, follower] = [open(), open()];
  leader.broker.lead();
  vi.useRealTimers();
  await vi.waitFor(() => expect(follower.events.onLeader).toHaveBeenCalledOnce());
  expect(leader.events.onLeader).not.toHaveBeenCalled();
  for (const { broker } of [leader, follower]) broker.close();
});
