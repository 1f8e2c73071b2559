import { expect, test } from "vitest";
import { KvCacheTracker } from "../../../../worker/engines/webllm/single/kv-cache-tracker.ts";
import { fc } from "../../../support/random.ts";

/** Merges `ab` into one token, so text split elsewhere tokenizes differently. */
const encode = (text: string): number[] =>
  (text.match(/<\|.*?\|>|ab|\n\n|[\s\S]/g) ?? []).map((token) =>
    [...token].reduce((sum, character) => sum * 131 + character.charCodeAt(0), 7),
  );

test("a conversation that goes on feeds each token once, and counts as the whole would", () => {
  const mirror = new KvCacheTracker();
  const turns = [
    "<|user|>hi<|bot|>",
    "hello",
    "<|end|><|user|>more<|bot|>",
    "yes",
    "<|end|><|user|>x<|bot|>",
  ];
  let prompt = "";
  let fed = 0;
  for (let at = 0; at < turns.length; at += 2) {
    prompt += turns[at];
    const plan = mirror.plan("a", prompt, encode, 0);
    expect(plan.promptTokens).toBe(encode(prompt).length);
    expect(plan.pieces.join("")).toBe(prompt);
    fed += plan.promptTokens - plan.cachedTokens;
    const reply = turns[at + 1] ?? "";
    mirror.keep(reply, encode(reply));
    prompt += reply;
    fed += encode(reply).length;
  }
  expect(fed).toBe(encode(prompt).length);
});

test("reuse never changes the tokens: whatever follows, the pieces encode to what the whole does", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "<|x|>", " ") });
  fc.assert(
    fc.property(text, text, text, (first, reply, rest) => {
      const mirror = new KvCacheTracker();
      mirror.plan("a", first, encode, 2);
      mirror.keep(reply, encode(reply));
      const prompt = first + reply + rest;
      const plan = mirror.plan("a", prompt, encode, 2);
      expect(plan.pieces.flatMap((piece) => encode(piece))).toEqual(encode(prompt));
      expect(plan.promptTokens).toBe(encode(prompt).length + 2);
      expect(plan.cachedTokens === 0).toBe(plan.reset);
      expect(plan.cachedTokens).toBeLessThan(plan.promptTokens);
    }),
  );
});

test("another conversation, the same prompt again, or a lost cache start afresh", () => {
  const mirror = new KvCacheTracker();
  mirror.plan("a", "one", encode, 0);
  mirror.keep("two", encode("two"));
  expect(mirror.plan("a", "other", encode, 0)).toMatchObject({
    reset: true,
    cachedTokens: 0,
    pieces: ["other"],
  });
  mirror.plan("a", "one", encode, 0);
  mirror.keep("two", encode("two"));
  expect(mirror.plan("a", "onetwo", encode, 0).reset).toBe(true);
  // An aborted reply: planned, never kept.
  expect(mirror.plan("a", "onetwo!", encode, 0).reset).toBe(true);
});

test("another scope starts afresh, and leaves nothing to the first", () => {
  const mirror = new KvCacheTracker();
  mirror.plan("a", "one", encode, 0);
  mirror.keep("two", encode("two"));
  expect(mirror.plan("b", "onetwo!", encode, 0)).toMatchObject({ reset: true, cachedTokens: 0 });
  mirror.keep("end", encode("end"));
  expect(mirror.plan("a", "onetwo!end?", encode, 0)).toMatchObject({ reset: true, cachedTokens: 0 });
});
