/** The statistics that `npm run chat` prints under a reply. */

import OpenAI from "openai";
import { afterEach, expect, test, vi } from "vitest";
import { streamReply } from "../../scripts/chat/reply.ts";

const PAUSE_MS = 200;
afterEach(() => vi.restoreAllMocks());

/** Streams the deltas, then usage of 101 tokens, each after a pause of the clock. */
function client(deltas: object[]): OpenAI {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const encoder = new TextEncoder();
  const usage = { prompt_tokens: 5, completion_tokens: 101, total_tokens: 106 };
  const events = [...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), { choices: [], usage }];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    nowMs += PAUSE_MS;
    controller.enqueue(encoder.encode(`data: ${JSON.stringify(events.shift())}\n\n`));
    if (events.length === 0) controller.close();
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const fetch = async (): Promise<Response> =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });
  return new OpenAI({ apiKey: "key", baseURL: "http://127.0.0.1/v1", fetch });
}

async function paceOf(deltas: object[]): Promise<number> {
  let written = "";
  await streamReply(client(deltas), "model", [{ role: "user", content: "Hi" }], (text) => {
    written += text;
  });
  return Number(/ ([\d.]+) tokens\/s/.exec(written)![1]);
}

test("the time of a thought counts, as its tokens do", async () => {
  const pace = await paceOf([{ reasoning_content: "Hm" }, { reasoning_content: "m" }, { content: "Yes." }]);
  expect(pace).toBeCloseTo((100 / 3 / PAUSE_MS) * 1000, 1);
});

test("a reply without text has no pace", async () => {
  expect(await paceOf([{ role: "assistant" }])).toBe(0);
});
