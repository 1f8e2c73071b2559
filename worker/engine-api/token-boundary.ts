/** Keeps text that spells a special token from becoming that token: it is encoded in two pieces. */

/** Where a prompt is split before it is encoded. A noncharacter: Unicode keeps it for internal use. */
export const TOKEN_BOUNDARY = "\uFDD0";

/** Puts a boundary into each special token that the text spells. */
export function withTokenBoundaries(text: string, specialTokens: readonly string[]): string {
  let split = text.replaceAll(TOKEN_BOUNDARY, "");
  // A token with a boundary in it could never be spelled, only be made by the boundaries put in below.
  const spelled = specialTokens.filter(
    (token) => token.length > 1 && !token.includes(TOKEN_BOUNDARY) && split.includes(token),
  );
  for (const token of spelled) {
    const [first = ""] = token;
    const cut = first + TOKEN_BOUNDARY + token.slice(first.length);
    // Repeated, as occurrences may overlap.
    while (split.includes(token)) split = split.replaceAll(token, () => cut);
  }
  return split;
}

/** The pieces to encode one by one. */
export function splitAtTokenBoundaries(prompt: string): string[] {
  return prompt.split(TOKEN_BOUNDARY);
}
