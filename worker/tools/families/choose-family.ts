/** Selects the tool format of a model. */

import { chatmlHermes, qwen25 } from "./chatml-hermes.ts";
import { gemma } from "./gemma.ts";
import { hermes2pro } from "./hermes2pro.ts";
import { llama3 } from "./llama3.ts";
import { mistral } from "./mistral.ts";
import { phi } from "./phi.ts";
import type { ToolFamily } from "./tool-family.ts";

/** A model's id, and the name of its `conv_template`. */
interface ModelNames {
  id: string;
  conversationTemplate?: string;
}

/** Order matters: Hermes models also name Llama or Mistral, distilled DeepSeek ones Qwen or Llama. */
const BY_NAME: readonly [RegExp, ToolFamily][] = [
  [/hermes[-_ ]?[23]/i, hermes2pro],
  [/qwen2\.?5|qwq/i, qwen25],
  [/qwen|infetch|smollm|chatml/i, chatmlHermes],
  [/llama[-_ ]?3/i, llama3],
  [/[mn]istral|mixtral/i, mistral],
  [/(^|[^a-z])phi[-_ ]?\d/i, phi],
  [/gemma/i, gemma],
];

/** Models of these families that are trained on another call format, or on none. */
const UNTRAINED = /deepseek[-_ ]?r1|qwen[-_ ]?3[._-]5|qwen3[-_ ]?coder|phi[-_ ]?3|gemma|smollm/i;

/** The family of a model, by its id, then by its template. @default ChatML */
export function chooseFamily(names: ModelNames): ToolFamily {
  return findFamily(names) ?? chatmlHermes;
}

/** As {@link chooseFamily}, but undefined for models that are not known to call tools in its format. */
export function knownFamily(names: ModelNames): ToolFamily | undefined {
  return UNTRAINED.test(names.id) ? undefined : findFamily(names);
}

function findFamily({ id, conversationTemplate = "" }: ModelNames): ToolFamily | undefined {
  for (const name of [id, conversationTemplate]) {
    const found = BY_NAME.find(([pattern]) => pattern.test(name));
    if (found) return found[1];
  }
  return undefined;
}

export const TOOL_FAMILIES: readonly ToolFamily[] = [
  chatmlHermes,
  qwen25,
  hermes2pro,
  llama3,
  mistral,
  phi,
  gemma,
];
