import { expect, test } from "vitest";
import { atSeams, SEAM, withSeams } from "../../../../worker/engines/api/seam.ts";
import { fc } from "../../../support/random.ts";

const TOKENS = ["<|im_start|>", "<|im_end|>", "[INST]", "</s>", "😀😀", "$&"];

test("no piece holds a special token, and the pieces are the text", () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: "grapheme", maxLength: 4 })));
  fc.assert(
    fc.property(text, (parts) => {
      const written = parts.join("");
      const pieces = atSeams(withSeams(written, TOKENS));
      expect(pieces.join("")).toBe(written.replaceAll(SEAM, ""));
      for (const piece of pieces) for (const token of TOKENS) expect(piece).not.toContain(token);
    }),
  );
});

test("a vocabulary whose tokens hold the seam itself ends, too", () => {
  const tokens = ["xy", `x${SEAM}`, `${SEAM}y`, SEAM];
  expect(atSeams(withSeams(`xy x${SEAM} ${SEAM}y`, tokens)).join("")).toBe("xy x y");
});

test("text without special tokens stays in one piece", () => {
  expect(atSeams(withSeams("<|im|> and <s>", TOKENS))).toEqual(["<|im|> and <s>"]);
});
