import { expect, test, vi } from "vitest";
import { SlotText } from "../../../../worker/engines/webllm/slots/slot-text.ts";
import { TextDelta } from "../../../../worker/engines/webllm/text/text-delta.ts";
import { firstMarker } from "../../../../worker/reply/find-marker.ts";
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
      expect(told.join("")).toBe(expected.replace(/\uFFFD+$/, ""));
      for (const part of told) expect(part).not.toMatch(/\uFFFD$/);
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

/** The whole text after each token, decoded at once and searched from its beginning. */
function reference(ids: readonly number[], stops: readonly string[], takes: readonly boolean[]) {
  const delta = new TextDelta(stops);
  return ids.map((_, at) => {
    const all = bytes.decode(Int32Array.from(ids.slice(0, at + 1)));
    const end = firstMarker(all, stops)?.start;
    const message = all.slice(0, end);
    const stopped = end !== undefined;
    return { message, stopped, part: takes[at % takes.length] ? delta.next(message) : undefined };
  });
}

test("messages and parts are those of the whole text, whenever the parts are taken", () => {
  const characters = Array.from("ab<|end|>\n", (one) => one.charCodeAt(0));
  const halves = [0xf0, 0x9f, 0x98, 0x80, 0xef, 0xbf, 0xbd, 0xc3, 0xa9];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...characters, ...halves), { maxLength: 150 }),
      fc.array(fc.constantFrom("<|end|>", "ab", "\n\n", "é!", "|>"), { maxLength: 2 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
      (ids, stops, takes) => {
        const text = new SlotText(bytes, stops);
        for (const [at, expected] of reference(ids, stops, takes).entries()) {
          text.push(ids[at]!);
          const part = takes[at % takes.length] ? text.take() : undefined;
          expect({ message: text.message, stopped: text.stopped, part }).toEqual(expected);
          if (text.stopped) return;
        }
      },
    ),
  );
});

test("the last hundred of a thousand tokens handle no more characters than the first", () => {
  const decode = (ids: Int32Array): string => Array.from(ids, (id) => ` word${id % 10}`).join("");
  const text = new SlotText({ decode }, ["<|end|>"]);
  let handled = 0;
  const methods = (["slice", "includes", "indexOf", "endsWith"] as const).map((name) => {
    const method = String.prototype[name] as (...given: unknown[]) => unknown;
    return vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
      handled += this.length;
      return method.apply(this, given) as never;
    });
  });
  const handledBy = (tokens: number): number => {
    handled = 0;
    for (let id = 0; id < tokens; id++) {
      text.push(id);
      text.take();
    }
    return handled;
  };
  try {
    const first = handledBy(100);
    handledBy(800);
    const last = handledBy(100);
    expect(first).toBeGreaterThan(0);
    expect(last).toBeLessThan(1.2 * first);
  } finally {
    for (const method of methods) method.mockRestore();
  }
  expect(text.message).toHaveLength(6000);
});

/** As SentencePiece's: byte tokens in a row are their text if it is whole, else a replacement character each. */
const fallback = {
  decode: (ids: Int32Array): string => {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return String.fromCharCode(...ids).replace(/[\x80-\xff]+/g, (run) => {
      try {
        return decoder.decode(Uint8Array.from(run, (one) => one.charCodeAt(0)));
      } catch {
        return "\ufffd".repeat(run.length);
      }
    });
  },
};

/** The parts of a reply whose last token is at a limit, or followed by the model's end. */
function partsOf(ids: readonly number[], end: "stop" | "length"): string {
  const text = new SlotText(fallback, ["<|end|>"]);
  const delta = new TextDelta(["<|end|>"]);
  const parts = ids.map((id, at) => {
    text.push(id);
    const last = at === ids.length - 1 ? end : undefined;
    const all = fallback.decode(Int32Array.from(ids.slice(0, at + 1)));
    return [text.take(last), delta.next(all, last)];
  });
  const [bySlot, byDelta] = [0, 1].map((of) => parts.map((part) => part[of]).join(""));
  expect(bySlot).toBe(byDelta);
  return bySlot!;
}

test("characters of byte tokens, one after another, arrive whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "<", "é", "好", "颱", "\u{1F999}", "\u{1FAE0}", "\ufffd"), {
        minLength: 1,
      }),
      fc.nat(3),
      (characters, more) => {
        const whole = characters.join("");
        expect(partsOf(idsOf(whole), "stop")).toBe(whole);
        // A limit within the next character.
        const cut = [...idsOf(`${whole}.\u{1F999}`), ...idsOf("\u{1F999}").slice(0, more)];
        expect(partsOf(cut, "length")).toBe(`${whole}.\u{1F999}`);
      },
    ),
  );
});
