/** Random replies: a stream has the response of the request without `stream`, and its events agree with it. */

import { expect, test } from "vitest";
import type { SentEvent } from "../../../worker/endpoints/responses/response-schema.ts";
import { fc } from "../../support/random.ts";
import { lastResponse, readResponse, readResponseStream } from "../../support/response-stream.ts";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses";

/** Model output of every kind, well-formed and malformed. */
const reply = fc.array(
  fc.constantFrom(
    "Hello",
    "END",
    "\n",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "\u{1F600}",
    '{"name": "f", "arguments": {"a": "x"}}',
    '{"name": "c", "arguments": {"input": "hi',
    '{"name": "n__g", "arguments": {}}',
    '"}}',
    "}",
    "\\",
  ),
  { maxLength: 14 },
);

const inner = { type: "function", name: "g", parameters: {} };
const tools = [
  { type: "function", name: "f", parameters: { type: "object", properties: { a: { type: "string" } } } },
  { type: "custom", name: "c" },
  { type: "namespace", name: "n", description: "d", tools: [inner] },
];
const LOGPROBS = "message.output_text.logprobs";
const SEALED = "reasoning.encrypted_content";
const fields = fc.record(
  {
    tools: fc.constant(tools),
    parallel_tool_calls: fc.boolean(),
    tool_choice: fc.constantFrom("auto", "none"),
    reasoning: fc.constantFrom({ effort: "low" }, { effort: "none" }, { effort: "high", summary: "auto" }),
    include: fc.constantFrom<string[]>([SEALED], [LOGPROBS], [LOGPROBS, SEALED]),
    top_logprobs: fc.constantFrom(0, 3),
    max_output_tokens: fc.constantFrom(1, 2, 3, 5),
    stop: fc.constantFrom("END", ["lo", "}"]),
  },
  { requiredKeys: [] },
);

/** Without what differs between two responses. */
const comparable = (response: object): unknown =>
  JSON.parse(JSON.stringify(response), (name, value) =>
    ["id", "call_id", "created_at", "completed_at"].includes(name) ? name : value,
  );

/** The text of an item, as its events have it: the deltas, and the event that ends them. */
function textsOf(
  events: readonly SentEvent[],
  id: string,
): { deltas: string; done: string; logprobs: unknown[][] } {
  const own = events.filter((event) => "item_id" in event && event.item_id === id);
  const deltas = own.flatMap((event) => ("delta" in event ? [event] : []));
  const done = own.flatMap((event) => {
    if ("text" in event) return [event.text];
    if ("arguments" in event) return [event.arguments];
    return "input" in event ? [event.input] : [];
  });
  expect(done).toHaveLength(1);
  const sent = deltas.flatMap((event) => ("logprobs" in event ? event.logprobs : []));
  const whole = own.flatMap((event) => ("text" in event && "logprobs" in event ? [event.logprobs] : []));
  return { deltas: deltas.map(({ delta }) => delta).join(""), done: done[0]!, logprobs: [sent, ...whole] };
}

test("a stream ends with the response that is sent whole, and its deltas add up to it", async () => {
  const kinds = new Set<string>();
  const property = fc.asyncProperty(fields, reply, async (request, pieces) => {
    const { post } = await testApp({ reply: () => pieces });
    const body = { model: "infetch-tiny", input: "Hi", ...request };
    const whole = await readResponse(await post(PATH, body));
    const events = await readResponseStream(await post(PATH, { ...body, stream: true }));
    const last = lastResponse(events);
    expect(comparable(last)).toEqual(comparable(whole));
    expect(last.incomplete_details === null).toBe(last.status === "completed");
    expect(new Set(last.output.map(({ id }) => id)).size).toBe(last.output.length);
    for (const item of last.output) {
      kinds.add(`${item.type} ${item.status}`);
      const { deltas, done, logprobs } = textsOf(events, item.id);
      expect(deltas).toBe(done);
      if (item.type === "function_call" && item.status === "completed") JSON.parse(item.arguments);
      if (item.type !== "message") continue;
      const shown = item.content[0]!.logprobs;
      expect(logprobs).toEqual([shown, shown]);
      const asked = request.include?.includes(LOGPROBS) || request.top_logprobs === 3;
      if (!asked) expect(shown).toEqual([]);
      // A token may begin with the end of a call.
      else if (!request.stop) expect(shown.map(({ token }) => token).join("")).toContain(done);
    }
  });
  await fc.assert(property, { numRuns: 200 });
  expect(kinds.size).toBeGreaterThan(6);
});
