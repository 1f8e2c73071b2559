/** Which family's tool format a model has, by its name: apart from the formats, which load with their first use. */

export type FamilyName = "chatml-hermes" | "qwen2.5" | "hermes2pro" | "llama3" | "mistral" | "phi" | "gemma";

/** A model's id, and the name of its `conv_template`. */
export interface ModelNames {
  id: string;
  conversationTemplate?: string;
}

/** Order matters: Hermes models also name Llama or Mistral, distilled DeepSeek ones Qwen or Llama. */
const BY_NAME: readonly [RegExp, FamilyName][] = [
  [/hermes[-_ ]?[23]/i, "hermes2pro"],
  [/qwen2\.?5|qwq/i, "qwen2.5"],
  [/qwen|infetch|smollm|chatml/i, "chatml-hermes"],
  [/llama[-_ ]?3/i, "llama3"],
  [/[mn]istral|mixtral/i, "mistral"],
  [/(^|[^a-z])phi[-_ ]?\d/i, "phi"],
  [/gemma/i, "gemma"],
];

/** Models of these families that are trained on another call format, or on none. */
const UNTRAINED = /deepseek[-_ ]?r1|qwen[-_ ]?3[._-]5|qwen3[-_ ]?coder|phi[-_ ]?3|gemma|smollm/i;

/** The family of a model, by its id, then by its template; undefined if neither names one. */
export function familyName({ id, conversationTemplate = "" }: ModelNames): FamilyName | undefined {
  for (const name of [id, conversationTemplate]) {
    const found = BY_NAME.find(([pattern]) => pattern.test(name));
    if (found) return found[1];
  }
  return undefined;
}

/** As {@link familyName}, but undefined for models that are not known to call tools in its format. */
export function knownFamily(names: ModelNames): FamilyName | undefined {
  return UNTRAINED.test(names.id) ? undefined : familyName(names);
}
