/** Settings of a conversation as typed; empty fields are omitted, so that the API's defaults apply. */

import type OpenAI from "openai";

export type SamplingName =
  | "temperature"
  | "top_p"
  | "top_k"
  | "min_p"
  | "max_tokens"
  | "seed"
  | "presence_penalty"
  | "frequency_penalty"
  | "repetition_penalty";

export type FormatType = "text" | "json_object" | "json_schema";

export interface ChatSettings {
  /** Empty means the first chat model. */
  model: string;
  system: string;
  sampling: Partial<Record<SamplingName, string>>;
  /** One stop sequence per line. */
  stop: string;
  /** JSON: token → bias. */
  logitBias: string;
  reasoning: "default" | "none" | "low" | "medium" | "high";
  format: FormatType;
  schema: string;
  tools: string[];
  toolChoice: string;
}

const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  },
  null,
  2,
);

/** Tuned for the small built-in model: low randomness, and a limit for replies that do not end. */
const INITIAL_SAMPLING = { temperature: "0.2", max_tokens: "400" };

export function defaultSettings(): ChatSettings {
  return {
    model: "",
    system: "",
    sampling: INITIAL_SAMPLING,
    stop: "",
    logitBias: "",
    reasoning: "default",
    format: "text",
    schema: EXAMPLE_SCHEMA,
    tools: [],
    toolChoice: "auto",
  };
}

/** The SDK also forwards parameters that OpenAI's API lacks. */
type SamplingParameters = Partial<OpenAI.ChatCompletionCreateParamsStreaming> &
  Partial<Record<SamplingName, number>>;

/**
 * Request parameters, without tools and messages. The API validates the values.
 *
 * @throws for an invalid number or invalid JSON; the message names the field
 */
export function toParameters(settings: ChatSettings): SamplingParameters {
  const parameters: SamplingParameters = {};
  for (const [name, text] of Object.entries(settings.sampling)) {
    if (text.trim() === "") continue;
    const value = Number(text);
    if (Number.isNaN(value)) throw new Error(`${name} must be a number.`);
    parameters[name as SamplingName] = value;
  }
  const stop = settings.stop.split("\n").filter((line) => line !== "");
  if (stop.length > 0) parameters.stop = stop;
  if (settings.logitBias.trim() !== "") {
    parameters.logit_bias = parseJSON(settings.logitBias, "Logit bias") as Record<string, number>;
  }
  if (settings.reasoning !== "default") parameters.reasoning_effort = settings.reasoning;
  if (settings.format === "json_object") parameters.response_format = { type: "json_object" };
  if (settings.format === "json_schema") {
    const schema = parseJSON(settings.schema, "The JSON schema") as Record<string, unknown>;
    parameters.response_format = {
      type: "json_schema",
      json_schema: { name: "answer", schema, strict: true },
    };
  }
  return parameters;
}

function parseJSON(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not valid JSON: ${(error as Error).message}`);
  }
}
