/** Request settings as returned in the response object (OpenAI reference, Responses). */

import type { SamplingDefaults } from "../../engine-api/chat-engine.ts";
import type { shownChoice, shownTools } from "./tools.ts";

type Format =
  | { type: "text" }
  | { type: "json_object" }
  | {
      type: "json_schema";
      name: string;
      description?: string | null | undefined;
      schema: Record<string, unknown>;
      strict?: boolean | null | undefined;
    };

/** Field names of the API; omitted settings have their default, or null. */
export interface ResponseSettings {
  instructions: string | null;
  max_output_tokens: number | null;
  max_tool_calls: number | null;
  metadata: Record<string, string>;
  parallel_tool_calls: boolean;
  prompt_cache_key: string | null;
  prompt_cache_retention: "in_memory" | "24h" | null;
  reasoning: {
    effort: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    summary: "auto" | "concise" | "detailed" | null;
  };
  safety_identifier: string | null;
  text: { format: ReturnType<typeof shownFormat>; verbosity: "low" | "medium" | "high" };
  tool_choice: ReturnType<typeof shownChoice>;
  tools: ReturnType<typeof shownTools>;
  top_logprobs: number;
  truncation: "auto" | "disabled";
  /** Omitted if not sent, as its type in the API has no null. */
  user?: string;
}

/** The sampling parameters that apply, under their names in the API. */
export function shownSampling({
  temperature,
  topP: top_p,
  frequencyPenalty: frequency_penalty,
  presencePenalty: presence_penalty,
}: Required<SamplingDefaults>) {
  return { temperature, top_p, frequency_penalty, presence_penalty };
}

export type ShownSampling = ReturnType<typeof shownSampling>;

export function shownFormat(format: Format | null | undefined) {
  if (format?.type !== "json_schema") return { type: format?.type ?? ("text" as const) };
  const { type, name, description, schema, strict } = format;
  return { type, name, description: description ?? null, schema, strict: strict ?? false };
}
