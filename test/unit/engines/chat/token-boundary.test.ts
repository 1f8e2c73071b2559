import { expect, test } from "vitest";
import {
  splitAtTokenBoundaries,
  TOKEN_BOUNDARY,
  withTokenBoundaries,
} from "../../../../worker/engine-api/token-boundary.ts";
import { fc } from "../../../support/random.ts";

const TOKENS = ["<|im_start|>", "<|im_end|>", "[INST]", "</s>", "😀😀", "$&"];

test("no piece holds a special token, and the pieces are the text", () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: "grapheme", maxLength: 4 })));
  fc.assert(
    fc.property(text, (parts) => {
      const written = parts.join("");
      const pieces = splitAtTokenBoundaries(withTokenBoundaries(written, TOKENS));
      expect(pieces.join("")).toBe(written.replaceAll(TOKEN_BOUNDARY, ""));
      for (const piece of pieces) for (const token of TOKENS) expect(piece).not.toContain(token);
    }),
  );
});

test("a vocabulary whose tokens hold the boundary itself ends, too", () => {
  const tokens = ["xy", `x${TOKEN_BOUNDARY}`, `${TOKEN_BOUNDARY}y`, TOKEN_BOUNDARY];
  expect(
    splitAtTokenBoundaries(withTokenBoundaries(`xy x${TOKEN_BOUNDARY} ${TOKEN_BOUNDARY}y`, tokens)).join(""),
  ).toBe("xy x y");
});

test("text without special tokens stays in one piece", () => {
  expect(splitAtTokenBoundaries(withTokenBoundaries("<|im|> and <s>", TOKENS))).toEqual(["<|im|> and <s>"]);
});
