/** Whole replies of models, split anywhere: thoughts, text, parallel calls, and where models stray from their formats. */

import { expect, test } from "vitest";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import type { ReplyReasoning } from "../../../worker/reply/reply-reasoning.ts";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import { fc, seed } from "../../support/random.ts";
import { REPLIES } from "./support/whole-replies.ts";

function readSplit(name: string, reasoning: ReplyReasoning, reply: string, cuts: readonly number[]) {
  const { callFormat: format } = TOOL_FORMATS.find((one) => one.name === name)!;
  const tools = { format, names: ["f", "g"], constrained: false, single: false };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => "call_1");
  const ends = [...cuts].sort((a, b) => a - b).concat(reply.length);
  const pieces = ends.map((end, index) => reply.slice(ends[index - 1] ?? 0, end));
  const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
  const joined = (type: "text" | "reasoning"): string =>
    events.map((event) => (event.type === type ? event.text : "")).join("");
  return { content: joined("text"), reasoning: joined("reasoning"), calls: callsOf(events) };
}

test.each(REPLIES)(`%s (seed ${seed})`, (_, name, markers, reply, expected) => {
  const cuts = fc.array(fc.nat(reply.length), { maxLength: 12 });
  fc.assert(
    fc.property(cuts, (at) => {
      const { content = "", reasoning = "", calls = [] } = expected;
      expect(readSplit(name, markers, reply, at)).toEqual({ content, reasoning, calls });
    }),
  );
});

test(`what is left of a reply without a part, or with two that changed places, is the same however it is split (seed ${seed})`, () => {
  const cases = fc.constantFrom(...REPLIES).chain(([, name, markers, reply]) =>
    fc.record({
      name: fc.constant(name),
      markers: fc.constant(markers),
      reply: fc
        .tuple(fc.nat(reply.length), fc.nat(reply.length), fc.nat(reply.length), fc.boolean())
        .map(([a, b, c, moves]) => {
          const [first, second, third] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
          const moved = moves
            ? reply.slice(second, third) + reply.slice(first, second)
            : reply.slice(first, second);
          return reply.slice(0, first) + moved + reply.slice(third);
        }),
      cuts: fc.array(fc.nat(300), { maxLength: 12 }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ name, markers, reply, cuts }) => {
      const within = cuts.filter((cut) => cut < reply.length);
      expect(readSplit(name, markers, reply, within)).toEqual(readSplit(name, markers, reply, []));
    }),
    { numRuns: 3000 },
  );
});

function callsOf(events: readonly ReplyEvent[]): string[] {
  const calls: string[] = [];
  for (const event of events) {
    if (event.type === "tool-call-start") calls.push(`${event.name} `);
    if (event.type === "tool-call-delta") calls[event.index] += event.arguments;
  }
  return calls;
}
