/** Responses whose body arrives when the test says so, and timeouts of `fetch` on the test's clock. */

import { vi } from "vitest";

/** `vi.useRealTimers()` and `vi.restoreAllMocks()` undo it. */
export function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), ms);
    return late.signal;
  });
}

/** A response without an end of its own. */
export class SlowResponse {
  /** Of the body; undefined before the request. */
  part: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** How often its request was aborted. */
  aborts = 0;

  respond(signal: AbortSignal): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.part = controller;
      },
    });
    signal.addEventListener("abort", () => {
      this.aborts++;
      this.part!.error(signal.reason);
    });
    return new Response(body);
  }
}
