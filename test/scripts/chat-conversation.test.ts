/** The conversation of `npm run chat`. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { converse } from "../../scripts/chat/converse.ts";

async function* linesOf(...lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

const encode = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

test("a line that fails is printed and left out of the history; the conversation goes on", async () => {
  const histories: string[][] = [];
  const fetch = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const { messages } = JSON.parse(init.body as string) as { messages: { content: string }[] };
    const said = messages.map(({ content }) => content);
    histories.push(said);
    if (said.at(-1) === "refused") {
      const error = { message: "Too long.", type: "invalid_request_error", param: null, code: null };
      return Response.json({ error }, { status: 400 });
    }
    const delta = encode({ choices: [{ index: 0, delta: { content: `re: ${said.at(-1)}` } }] });
    const end = said.at(-1) === "cut" ? encode({ error: { message: "The engine was lost." } }) : "";
    return new Response(delta + end, { headers: { "content-type": "text/event-stream" } });
  };
  const openai = new OpenAI({ apiKey: "key", baseURL: "http://127.0.0.1/v1", fetch, maxRetries: 0 });
  const complaints: string[] = [];
  let asked = 0;
  const failures = await converse(openai, "model", linesOf("one", "refused", "", "cut", "two"), {
    write: () => {},
    complain: (text) => complaints.push(text),
    ask: () => {
      asked += 1;
    },
  });
  expect(failures).toBe(2);
  expect(complaints).toEqual(["\ninfetch: Too long.", expect.stringContaining("The engine was lost.")]);
  expect(asked).toBe(6);
  expect(histories).toEqual([
    ["one"],
    ["one", "re: one", "refused"],
    ["one", "re: one", "cut"],
    ["one", "re: one", "two"],
  ]);
});
