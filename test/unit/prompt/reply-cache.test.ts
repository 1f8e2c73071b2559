import { expect, test } from "vitest";
import { ReplyCaches } from "../../../worker/prompt/reply-cache.ts";
import { SeenReply } from "../../../worker/prompt/seen-reply.ts";
import { fc } from "../../support/random.ts";

const MAX_CHARACTERS = 3000;

/** A reply with this many characters of prompt, visible reply and raw text, or of a thought and its call's id. */
interface Kept {
  account: string;
  at: number;
  characters: number;
  isThought: boolean;
}

function remember(caches: ReplyCaches, { account, at, characters, isThought }: Kept): void {
  const seen = new SeenReply();
  // Visible: ["",[]].
  const visible = 7;
  if (isThought) {
    seen.callIds.push(`call${at}`.padEnd(10));
    seen.reasoning = "t".repeat(characters - 10);
    // The raw text is the visible one: only the thought is kept.
    caches.of(account).remember({ prompt: `${at}`, seen, raw: "" });
  } else {
    const prompt = `${at}`.padEnd(characters - visible - 1);
    caches.of(account).remember({ prompt, seen, raw: " " });
  }
}

function isKept(caches: ReplyCaches, { account, at, characters, isThought }: Kept): boolean {
  const cache = caches.of(account);
  if (isThought) return cache.thoughtBefore(`call${at}`.padEnd(10)) !== undefined;
  return cache.find(`${at}`.padEnd(characters - 8), { text: "", toolCalls: [] }, true) !== undefined;
}

test("the newest replies and thoughts of all accounts are kept, up to a number of characters", () => {
  const reply = fc.record({
    account: fc.constantFrom("a", "b", "c"),
    characters: fc.integer({ min: 20, max: 1500 }),
    isThought: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 30 }), (replies) => {
      const caches = new ReplyCaches(MAX_CHARACTERS);
      const all = replies.map((one, at) => ({ ...one, at }));
      for (const [at, one] of all.entries()) {
        remember(caches, one);
        const newestFirst = all.slice(0, at + 1).reverse();
        let characters = 0;
        for (const kept of newestFirst) {
          characters += kept.characters;
          expect(isKept(caches, kept)).toBe(characters <= MAX_CHARACTERS);
        }
      }
    }),
  );
});

test("a reply above the limit is not kept, and takes no other's place", () => {
  const caches = new ReplyCaches(MAX_CHARACTERS);
  const [small, large] = [100, MAX_CHARACTERS + 1].map((characters, at) => ({
    account: "a",
    at,
    characters,
    isThought: false,
  })) as [Kept, Kept];
  remember(caches, small);
  remember(caches, large);
  expect([small, large].map((one) => isKept(caches, one))).toEqual([true, false]);
});

test("replies that are replaced, and those of accounts that are dropped, count no more", () => {
  const caches = new ReplyCaches(MAX_CHARACTERS);
  const third = { at: 0, characters: MAX_CHARACTERS / 3, isThought: false };
  const first = { ...third, account: "used" };
  remember(caches, first);
  for (let time = 0; time < 5; time++) remember(caches, { ...third, account: "unused" });
  expect(isKept(caches, first)).toBe(true);
  for (let other = 0; other < 64; other++) {
    caches.of(`other ${other}`);
    caches.of("used");
  }
  for (const at of [1, 2]) remember(caches, { ...first, at });
  expect(isKept(caches, first)).toBe(true);
});
