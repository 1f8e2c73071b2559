/**
 * Rules of free text that ends with the first occurrence of a marker: one rule for each length of the marker's
 * beginning that the text may just have ended with (Knuth, Morris and Pratt). Every character decides alone where
 * to go on, so that llama.cpp follows one path only.
 *
 * @param name of the rules, to which `-` and a number is added; the first one is number 0
 * @param next follows the marker
 * @param mayEnd whether the text may also end without it
 */
export function textUntil(marker: string, name: string, next: string, mayEnd: boolean): string[] {
  const characters = [...marker];
  return characters.map((expected, matched) => {
    const seen = characters.slice(0, matched);
    const others = [...new Set(seen)].filter((character) => character !== expected);
    const options = [
      `${one(expected)} ${matched + 1 === characters.length ? next : `${name}-${matched + 1}`}`,
      ...others.map((character) => `${one(character)} ${name}-${fallBack(characters, [...seen, character])}`),
      `${none([expected, ...others])} ${name}-0`,
      ...(mayEnd ? ['""'] : []),
    ];
    return `${name}-${matched} ::= ${options.join(" | ")}`;
  });
}

/** The longest beginning of the marker with which the text ends. */
function fallBack(marker: readonly string[], text: readonly string[]): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (end.every((character, at) => character === marker[at])) return length;
  }
  return 0;
}

function one(character: string): string {
  return `[${escaped(character)}]`;
}

function none(characters: readonly string[]): string {
  return `[^${characters.map(escaped).join("")}]`;
}

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  return /[\\\]^-]/.test(character)
    ? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`
    : character;
}
