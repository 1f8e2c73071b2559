/** `runtime.on()`. */

import { afterEach, expect, test, vi } from "vitest";
import { Listeners } from "../../../src/listeners.ts";
import type { RuntimeEvent } from "../../../src/protocol/events.ts";

const event = { type: "ledger", state: "changed" } as RuntimeEvent;

afterEach(() => vi.unstubAllGlobals());

test("a listener that subscribes itself again gets each event once", () => {
  const listeners = new Listeners();
  let calls = 0;
  let off = listeners.add("ledger", again);
  function again(): void {
    if (++calls > 100) throw new Error("endless");
    off();
    off = listeners.add("ledger", again);
  }
  listeners.dispatch(event);
  listeners.dispatch(event);
  expect(calls).toBe(2);
});

test("the error of one is reported, and the others get the event", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const listeners = new Listeners();
  const told = vi.fn();
  const error = new Error("of the app");
  listeners.add("ledger", () => {
    throw error;
  });
  listeners.add("ledger", told);
  listeners.dispatch(event);
  expect(told).toHaveBeenCalledExactlyOnceWith(event);
  expect(reported).toHaveBeenCalledExactlyOnceWith(error);
});

test("the same function twice is two subscriptions; one that has ended gets no event, even if it ended during one", () => {
  const listeners = new Listeners();
  const told = vi.fn();
  const offs = [listeners.add("ledger", told), listeners.add("ledger", told)];
  listeners.dispatch(event);
  expect(told).toHaveBeenCalledTimes(2);
  offs[0]!();
  offs[0]!();
  expect(listeners.has("ledger")).toBe(true);
  const ending = new Listeners();
  const late = vi.fn();
  ending.add("ledger", () => offLate());
  const offLate = ending.add("ledger", late);
  ending.dispatch(event);
  listeners.dispatch(event);
  expect([told.mock.calls.length, late.mock.calls.length]).toEqual([3, 0]);
  offs[1]!();
  expect([listeners.has("ledger"), listeners.has("request")]).toEqual([false, false]);
});

test("a listener that is no function is refused at once", () => {
  const listeners = new Listeners();
  for (const listener of [undefined, { handleEvent() {} }])
    expect(() => listeners.add("ledger", listener as never)).toThrow("The listener must be a function.");
  expect(listeners.has("ledger")).toBe(false);
});
