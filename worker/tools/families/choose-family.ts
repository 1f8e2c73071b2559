/** Selects the tool format of a model. */

import { chatmlHermes, qwen25 } from "./chatml-hermes.ts";
import { type FamilyName, familyName, type ModelNames } from "./family-name.ts";
import { gemma } from "./gemma.ts";
import { hermes2pro } from "./hermes2pro.ts";
import { llama3 } from "./llama3.ts";
import { mistral } from "./mistral.ts";
import { phi } from "./phi.ts";
import type { ToolFamily } from "./tool-family.ts";

const FAMILIES: Readonly<Record<FamilyName, ToolFamily>> = {
  "chatml-hermes": chatmlHermes,
  "qwen2.5": qwen25,
  hermes2pro,
  llama3,
  mistral,
  phi,
  gemma,
};

export const TOOL_FAMILIES: readonly ToolFamily[] = Object.values(FAMILIES);

/** @default ChatML */
export function chooseFamily(names: ModelNames): ToolFamily {
  return FAMILIES[familyName(names) ?? "chatml-hermes"];
}
