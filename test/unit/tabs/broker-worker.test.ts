/** The broker, in this thread. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BrokerMessage } from "../../../src/tabs/messages.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

let locks: FakeWebLocks;

beforeEach(async () => {
  locks = new FakeWebLocks();
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal("name", "scope");
  vi.stubGlobal("SharedWorkerGlobalScope", class {});
  vi.resetModules();
  await import("../../../src/tabs/broker-worker.ts");
});
afterEach(() => vi.unstubAllGlobals());

/** A page that has joined. `die()` ends it without a word, as a tab that is closed. */
async function openPage(lock: string) {
  let die = (): void => {};
  await new Promise<void>((held) => {
    void locks.request(lock, () => {
      held();
      return new Promise<void>((release) => {
        die = release;
      });
    });
  });
  const port = {
    told: [] as BrokerMessage[],
    isOpen: true,
    onmessage: (_: { data: BrokerMessage }): void => {},
    postMessage: (message: BrokerMessage) => port.told.push(message),
    close: () => {
      port.isOpen = false;
    },
  };
  (globalThis as unknown as { onconnect(event: object): void }).onconnect({ ports: [port] });
  const say = (data: BrokerMessage): void => port.onmessage({ data });
  say({ type: "join", lock });
  await settled();
  port.told.splice(0);
  return { port, say, die };
}

const settled = (): Promise<void> => new Promise((over) => setImmediate(over));

test("a tab that is closed is forgotten, and one that is open is not", async () => {
  const [closed, open, leader] = [await openPage("1"), await openPage("2"), await openPage("3")];
  expect([closed, open].map(({ port }) => port.isOpen)).toEqual([true, true]);
  closed.die();
  await settled();
  leader.say({ type: "lead" });
  expect(closed.port).toMatchObject({ isOpen: false, told: [] });
  expect(open.port).toMatchObject({ isOpen: true, told: [{ type: "lead" }] });
});

test("no call is passed to a leader that has ended, nor kept from the next one", async () => {
  const [first, next, caller] = [await openPage("1"), await openPage("2"), await openPage("3")];
  const { port1, port2 } = new MessageChannel();
  first.say({ type: "lead" });
  first.die();
  await settled();
  caller.say({ type: "call", port: port1 });
  expect(first.port.told).toEqual([]);
  next.say({ type: "lead" });
  caller.say({ type: "call", port: port2 });
  const calls = next.port.told.filter(({ type }) => type === "call");
  expect(calls.map((call) => "port" in call && call.port === port2)).toEqual([true]);
  for (const port of [port1, port2]) port.close();
});
