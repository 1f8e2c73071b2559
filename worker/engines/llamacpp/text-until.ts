/** What follows the first occurrence of a marker. */
interface MarkedNext {
  marker: string;
  /** Expression after the marker. */
  next: string;
}

/**
 * Rules for free text that ends with the first occurrence of a marker, as an Aho-Corasick automaton: one rule per prefix
 * of a marker that has just matched. Each character has exactly one transition, so llama.cpp follows a single parse.
 *
 * @param all markers, none of them within another
 * @param name prefix of the rules, followed by `-` and a number from 0
 * @param mayEnd whether the text may also end without a marker
 */
export function textUntil(all: readonly MarkedNext[], name: string, mayEnd: boolean): string[] {
  const nexts = new Map(all.map(({ marker, next }) => [marker, next]));
  const states = statesOf([...nexts.keys()]);
  const numbers = new Map([...states.keys()].map((seen, at) => [seen, at]));
  return Array.from(states, ([seen, onward]) => {
    const options = Array.from(
      onward,
      ([character, text]) => `${one(character)} ${nexts.get(text) ?? `${name}-${numbers.get(text)}`}`,
    );
    options.push(`${none([...onward.keys()])} ${name}-0`);
    return `${name}-${numbers.get(seen)} ::= ${[...options, ...(mayEnd ? ['""'] : [])].join(" | ")}`;
  });
}

/**
 * For each proper prefix of a marker that may have matched, the characters after which a prefix or a marker has matched,
 * and which is the longest. Shorter prefixes come first, the empty one before all.
 */
function statesOf(markers: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const longer = new Map<string, Map<string, string>>([["", new Map()]]);
  for (const marker of markers) {
    let prefix = "";
    for (const character of marker) {
      const children = longer.get(prefix) ?? new Map<string, string>();
      longer.set(prefix, children);
      prefix += character;
      children.set(character, prefix);
    }
  }
  const states = new Map<string, ReadonlyMap<string, string>>();
  /** The longest shorter prefix that a prefix ends with. */
  const endings = new Map<string, string>();
  for (const [seen, children] of [...longer].sort(([a], [b]) => a.length - b.length)) {
    const others = seen === "" ? undefined : states.get(endings.get(seen)!);
    for (const [character, text] of children) endings.set(text, others?.get(character) ?? "");
    states.set(seen, new Map([...(others ?? []), ...children]));
  }
  return states;
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
