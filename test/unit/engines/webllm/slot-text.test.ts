import { expect, test } from "vitest";
import { SlotText } from "../../../../worker/engines/webllm/slots/slot-text.ts";
import { fc } from "../../../support/random.ts";

/** Tokens are bytes, as in byte-level vocabularies; without the first space of the text, as in SentencePiece. */
const bytes = {
  decode: (ids: Int32Array): string => new TextDecoder().decode(Uint8Array.from(ids)).replace(/^ /, ""),
};
const idsOf = (text: string): number[] => Array.from(new TextEncoder().encode(text));

/** Feeds tokens until a stop text appears. */
function tell(ids: readonly number[], stops: readonly string[] = []) {
  const text = new SlotText(bytes, stops);
  const told: string[] = [];
  for (const id of ids) {
    if (text.stopped) break;
    text.push(id);
    const part = text.take();
    told.push(part);
  }
  return { text, told };
}

test("the parts are the whole text, and no character is told in pieces", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (whole) => {
      const { text, told } = tell(idsOf(whole));
      const expected = whole.replace(/^\uFEFF/, "").replace(/^ /, "");
      expect(text.message).toBe(expected);
      expect(told.join("")).toBe(expected.replace(/\uFFFD+$/, (end) => end.slice(0, end.length & ~3)));
      for (const part of told) expect(part).not.toMatch(/(?<!\uFFFD)\uFFFD{1,3}$/);
    }),
  );
});

test("a text of invalid bytes is that of all tokens decoded at once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 60 }), (ids) => {
      const whole = bytes.decode(Int32Array.from(ids));
      const { text } = tell(ids);
      expect(text.message).toBe(whole);
    }),
  );
});

test("a stop text ends the reply wherever its tokens lie, and is omitted", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 60 }),
      fc.constantFrom("<end>", "é!", "\n\n"),
      fc.string({ maxLength: 10 }),
      (before, stop, after) => {
        const whole = (before + stop + after).replace(/^\uFEFF/, "").replace(/^ /, "");
        const { text } = tell(idsOf(before + stop + after), [stop]);
        expect(text.stopped).toBe(true);
        expect(text.message).toBe(whole.slice(0, whole.indexOf(stop)));
      },
    ),
  );
});

/** Tokens are whole texts. */
function tellTexts(texts: readonly string[], stops: readonly string[], end?: "stop" | "length") {
  const decode = (ids: Int32Array): string => Array.from(ids, (id) => texts[id]).join("");
  const text = new SlotText({ decode }, stops);
  const told = [...texts.keys()].map((id) => {
    text.push(id);
    return text.take(text.stopped ? "stop" : id === texts.length - 1 ? end : undefined);
  });
  return { told, text };
}

test("of two stop texts that one token completes, the first in the text ends the reply, whatever their order", () => {
  for (const stops of [
    ["[A]", "[B]"],
    ["[B]", "[A]"],
  ]) {
    const { text, told } = tellTexts(["so", "[", "A] and [B] too"], stops);
    expect([text.message, text.stopped, told.join("")]).toEqual(["so", true, "so"]);
  }
});

test("what may be the beginning of a stop text waits: it is omitted with it, and told where none follows", () => {
  const texts = ["1 ", "<", "|", "en", "d|>"];
  expect(tellTexts(texts, ["<|end|>"]).told).toEqual(["1 ", "", "", "", ""]);
  expect(tellTexts([...texts.slice(0, 3), " 2"], ["<|end|>"]).told).toEqual(["1 ", "", "", "<| 2"]);
  for (const end of ["stop", "length"] as const)
    expect(tellTexts(texts.slice(0, 3), ["<|end|>"], end).told).toEqual(["1 ", "", "<|"]);
});

test("at a limit, a token that ends in part of a character loses this part alone", () => {
  expect(tellTexts(["so", " a\ufffd"], [], "length").told).toEqual(["so", " a"]);
});

test("a replacement character at the end of a reply is kept; no character is split after others", () => {
  const told = (whole: string): string[] => {
    const text = new SlotText(bytes, []);
    const parts = idsOf(whole).map((id) => {
      text.push(id);
      return text.take();
    });
    return [parts.join(""), text.take("stop")];
  };
  expect(told("It is \ufffd")).toEqual(["It is ", "\ufffd"]);
  // The first byte of the emoji reads as a fourth one.
  const [parts] = told("\ufffd\ufffd\ufffd\u{1F600} end");
  expect(parts).not.toMatch(/\p{Surrogate}/u);
  expect(parts).toContain("\u{1F600} end");
});

test("a reply that continues its prompt's text keeps the space between them", () => {
  const after = (prompt: string, reply: string): string => {
    const text = new SlotText(bytes, [], idsOf(prompt));
    return idsOf(reply)
      .map((id) => {
        text.push(id);
        return text.take();
      })
      .join("");
  };
  expect(after("He was sad because", " he fell.")).toBe(" he fell.");
  expect(after("He was sad because", "  he fell.")).toBe("  he fell.");
  expect(after("He was ", "sad.")).toBe("sad.");
  // A reply that begins a text has none.
  expect(after("", " He fell.")).toBe("He fell.");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.string(), (prompt, reply) => {
      expect(after(prompt, reply)).toBe(reply);
    }),
  );
});
