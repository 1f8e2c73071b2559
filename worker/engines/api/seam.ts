/** Keeps text that spells a special token from becoming that token: it is encoded in two pieces. */

/** Where a prompt is cut before it is encoded. A noncharacter: Unicode keeps it for internal use. */
export const SEAM = "\uFDD0";

/** Puts a seam into each special token that the text spells. */
export function withSeams(text: string, specialTokens: readonly string[]): string {
  let seamed = text.replaceAll(SEAM, "");
  // A token with a seam in it could never be spelled, only be made by the seams put in below.
  const spelled = specialTokens.filter(
    (token) => token.length > 1 && !token.includes(SEAM) && seamed.includes(token),
  );
  for (const token of spelled) {
    const [first = ""] = token;
    const cut = first + SEAM + token.slice(first.length);
    // Repeated, as occurrences may overlap.
    while (seamed.includes(token)) seamed = seamed.replaceAll(token, () => cut);
  }
  return seamed;
}

/** The pieces to encode one by one. */
export function atSeams(prompt: string): string[] {
  return prompt.split(SEAM);
}
