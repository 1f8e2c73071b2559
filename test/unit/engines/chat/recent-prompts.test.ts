import { expect, test } from "vitest";
import { RecentPrompts } from "../../../../worker/engines/chat/recent-prompts.ts";
import { fc } from "../../../support/random.ts";

/** A tokenizer of characters that notes what it encodes. */
function start() {
  const encoded: string[] = [];
  const encode = (part: string): number[] => {
    encoded.push(part);
    return Array.from(part, (character) => character.charCodeAt(0));
  };
  const prompts = new RecentPrompts((text) => text.split(/(?=<)/), encode);
  return { prompts, encoded };
}

test("a prompt that was counted is not encoded again, and of the next turn only what is new", () => {
  const { prompts, encoded } = start();
  const first = prompts.encode("<system>be brief<user>hi", "one");
  expect(prompts.encode("<system>be brief<user>hi", "one")).toEqual(first);
  expect(encoded.splice(0)).toEqual(["<system>be brief", "<user>hi"]);
  prompts.encode("<system>be brief<user>hi<assistant>hello<user>bye", "one");
  expect(encoded.splice(0)).toEqual(["<assistant>hello", "<user>bye"]);
  // A template has removed a thought.
  prompts.encode("<system>be brief<user>hi<assistant>hell<user>bye", "one");
  expect(encoded).toEqual(["<assistant>hell"]);
});

test("nothing of another account's prompts is reused, so that the time shows nothing of them", () => {
  const { prompts, encoded } = start();
  prompts.encode("<system>secret", "one");
  encoded.length = 0;
  prompts.encode("<system>secret", "two");
  prompts.encode("<system>secret<user>hi", "three");
  expect(encoded).toEqual(["<system>secret", "<system>secret", "<user>hi"]);
});

test("a prompt that is only counted is not kept", () => {
  const { prompts, encoded } = start();
  prompts.encode("<user>hi");
  prompts.encode("<user>hi");
  prompts.encode("<user>hi", "one");
  expect(encoded).toHaveLength(3);
});

test("the oldest prompts are forgotten when they are many, or long", () => {
  const { prompts, encoded } = start();
  const isKept = (text: string): boolean => {
    encoded.length = 0;
    prompts.encode(text, "one");
    return encoded.length === 0;
  };
  for (let at = 0; at < 65; at++) prompts.encode(`<${at}`, "one");
  expect(isKept("<1")).toBe(true);
  expect(isKept("<0")).toBe(false);
  const long = `<${"x".repeat(600_000)}`;
  prompts.encode(long, "one");
  expect(isKept(long)).toBe(true);
  prompts.encode(`${long}y`, "one");
  expect(isKept(long)).toBe(false);
  expect(isKept(`<${"y".repeat(2_000_000)}`)).toBe(false);
  expect(isKept(`<${"y".repeat(2_000_000)}`)).toBe(false);
});

test("the tokens of any prompts in any order are those of each alone", () => {
  const text = fc
    .array(fc.constantFrom("<a>", "<b>", "<", "x", "é"), { maxLength: 8 })
    .map((all) => all.join(""));
  const asked = fc.record({ text, scope: fc.constantFrom("one", "two", undefined) });
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 40 }), (all) => {
      const { prompts } = start();
      for (const { text, scope } of all)
        expect(prompts.encode(text, scope)).toEqual(Array.from(text, (one) => one.charCodeAt(0)));
    }),
  );
});
