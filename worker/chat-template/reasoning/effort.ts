/** The API's `reasoning_effort` in the words that a template knows. */

/** From the least to the most, as the API names them. */
const EFFORTS: readonly string[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** Variables of templates, and the words of a variable whose template may name only its default (Muse Glimmer). */
const NAMES: readonly (readonly [name: string, words: readonly string[]])[] = [
  ["reasoning_effort", []],
  ["thinking_effort", []],
  ["reasoning_strength", ["low", "medium", "high", "xhigh"]],
];

/** Variables of other names, which count only with words. */
const OTHER_NAME = /(?<![\w.])(?:reason|think)[a-z]*_(?:level|depth|intensity)\b/;

/** What templates call no thought at all (Hunyuan 3; Mistral Small 4). */
const NONE = ["no_think", "none"] as const;

export interface TemplateEfforts {
  /** The variable. */
  name: string;
  /** Its words, from the least to the most, in its case: those it names, or known ones; empty where it writes any word. */
  words: readonly string[];
  /** Its word for no thought. */
  off?: string;
}

/** Undefined for a template without efforts. */
export function findEfforts(source: string): TemplateEfforts | undefined {
  const [usual, known = []] = NAMES.findLast(([one]) => source.includes(one)) ?? [];
  const name = usual ?? OTHER_NAME.exec(source)?.[0];
  if (name === undefined) return undefined;
  const written = (some: readonly string[], flags: string): string[] =>
    some.flatMap((word) => new RegExp(`(['"])(${word})\\1`, flags).exec(source)?.[2] ?? []);
  const flags = ["", "i"].find((some) => written(EFFORTS, some).length > 0) ?? "";
  const words = written(EFFORTS, flags);
  if (usual === undefined && words.length < 2) return undefined;
  const [off] = written(NONE, flags);
  // One may be the default alone.
  return { name, words: words.length < 2 ? known : words, ...(off === undefined ? {} : { off }) };
}

/** The template's variable for the API's effort; nothing where it is not asked for. An unknown one is the next higher. */
export function effortVariable(
  { name, words, off }: TemplateEfforts,
  { reasoning_effort: effort }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  if (typeof effort !== "string") return {};
  const at = EFFORTS.indexOf(effort);
  // K2 Horizon's template refuses other words, also where its thought is closed at once.
  const none = off ?? words[0];
  const known =
    at < 0 ? undefined : (words.find((one) => EFFORTS.indexOf(one.toLowerCase()) >= at) ?? words.at(-1));
  const word = effort === "none" ? none : known;
  return word === undefined ? {} : { [name]: word };
}
