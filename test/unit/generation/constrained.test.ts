import { afterEach, expect, test, vi } from "vitest";
import { toConstraint } from "../../../worker/generation/calls/constrained.ts";
import type { ChatRequest } from "../../../worker/generation/chat-request.ts";
import type { ChatPrompt } from "../../../worker/generation/rendering/chat-prompt.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";

afterEach(() => vi.unstubAllGlobals());

test("an abort ends the compilation of arguments that a model writes otherwise than as JSON", async () => {
  let asked = 0;
  let terminated = 0;
  /** A schema worker that never replies. */
  class BusyWorker {
    postMessage(): void {
      asked++;
    }
    terminate(): void {
      terminated++;
    }
  }
  vi.stubGlobal("Worker", BusyWorker);
  vi.stubGlobal("self", { location: new URL("https://app.test/server.js") });
  const chat = {
    tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    callable: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    responseFormat: { type: "text" },
  } as unknown as ChatRequest;
  const prompt: ChatPrompt = { prompt: "", mayThink: false, toolFormat: xml };
  const request = new AbortController();
  const constraint = toConstraint(chat, prompt, request.signal);
  await expect.poll(() => asked).toBe(1);
  request.abort(new Error("the client left"));
  await expect(constraint).rejects.toThrow("the client left");
  expect(terminated).toBe(1);
});
