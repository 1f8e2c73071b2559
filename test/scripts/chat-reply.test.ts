/** The statistics that `npm run chat` prints under a reply. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { streamReply } from "../../scripts/chat/reply.ts";

/** Streams the deltas, each after a pause, then usage of 101 tokens. */
function client(deltas: object[], pauseMs: number): OpenAI {
  const encoder = new TextEncoder();
  const send = (value: object) => encoder.encode(`data: ${JSON.stringify(value)}\n\n`);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const delta of deltas) {
        controller.enqueue(send({ choices: [{ index: 0, delta }] }));
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      const usage = { prompt_tokens: 5, completion_tokens: 101, total_tokens: 106 };
      controller.enqueue(send({ choices: [], usage }));
      controller.close();
    },
  });
  const fetch = async (): Promise<Response> =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });
  return new OpenAI({ apiKey: "key", baseURL: "http://127.0.0.1/v1", fetch });
}

async function paceOf(deltas: object[]): Promise<number> {
  let written = "";
  await streamReply(client(deltas, 200), "model", [{ role: "user", content: "Hi" }], (text) => {
    written += text;
  });
  return Number(/ ([\d.]+) tokens\/s/.exec(written)![1]);
}

test("the time of a thought counts, as its tokens do", async () => {
  const pace = await paceOf([{ reasoning_content: "Hm" }, { reasoning_content: "m" }, { content: "Yes." }]);
  expect(pace).toBeLessThan(100 / 0.55);
  expect(pace).toBeGreaterThan(1);
});

test("a reply without text has no pace", async () => {
  expect(await paceOf([{ role: "assistant" }])).toBe(0);
});
