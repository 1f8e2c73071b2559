/** An upstream that never ends takes no more of the server's memory than the client lets it. */

import { setImmediate as turn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { Delivery } from "../../../worker/endpoints/metering/delivery.ts";
import { relayStream } from "../../../worker/endpoints/upstream/relay.ts";
import { sseBody } from "../../../worker/http/sse/sse.ts";
import { readEvents } from "../../../worker/http/sse/sse-reader.ts";
import { NO_TOKENS } from "../../../worker/usage/metering/meter.ts";

const MEBIBYTE = 2 ** 20;

/** A body of so many pieces, and how many were taken. */
function piecesOf(text: string, count: number): { body: ReadableStream<Uint8Array>; taken: () => number } {
  const piece = new TextEncoder().encode(text);
  let taken = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (taken === count) {
      controller.close();
      return;
    }
    taken++;
    controller.enqueue(piece);
  };
  return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), taken: () => taken };
}

test("a stream is relayed no faster than it is read, beyond a few megabytes", async () => {
  const chunk = { choices: [{ delta: { content: "x".repeat(MEBIBYTE / 4) } }] };
  const { body, taken } = piecesOf(`data: ${JSON.stringify(chunk)}\n\n`, 64);
  const state = { id: "1", attempt: 0, readBytes: 0, onRead: undefined as (() => void) | undefined };
  const settle = vi.fn(async () => NO_TOKENS);
  const meter = { checkpoint: () => {}, settle, reverseUsage: async () => false };
  const cancel = new AbortController();
  const events = relayStream({
    body,
    delivery: new Delivery(state, meter, cancel.signal),
    name: "a",
    isResponse: false,
    includeUsage: false,
    shown: (text) => text,
    signal: cancel.signal,
    onEvent: () => {},
    onEnd: () => {},
  });
  const reader = sseBody(events, () => cancel.abort()).getReader();
  for (let before = -1; taken() > before; ) {
    before = taken();
    for (let turns = 0; turns < 20; turns++) await turn();
  }
  expect(taken()).toBeLessThan(24);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    state.readBytes += next.value.byteLength;
    state.onRead?.();
  }
  expect(taken()).toBe(64);
  // It ended without `[DONE]`.
  expect(settle).toHaveBeenCalledExactlyOnceWith("failed", expect.objectContaining({ outputTokens: 64 }));
});

test("an event that never ends is given up", async () => {
  const { body, taken } = piecesOf(`data: ${"x".repeat(8 * MEBIBYTE)}`, 16);
  await expect(readEvents(body).next()).rejects.toThrow(SyntaxError);
  expect(taken()).toBeLessThan(16);
});
