import { z } from "zod";
import type { Generation } from "../../generation/generate.ts";
import type { PromptMessage } from "../../generation/prompt/messages.ts";
import { badRequest } from "../../http/api-error.ts";
import { validate } from "../../http/validate.ts";

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const text = z.union([z.string(), z.array(textPart).min(1)]);

const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer", "user"]), content: text }),
  z.object({ role: z.literal("assistant"), content: text.nullish() }),
  z.object({ role: z.literal("tool"), content: text, tool_call_id: z.string() }),
]);

const stopText = z.string().min(1);

const schema = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().positive().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string(), z.array(stopText).max(4)]).nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

/** A chat request, validated: the reply that it wants and the form of the answer. */
export interface ChatParams {
  model: string;
  generation: Omit<Generation, "model">;
  stream: boolean;
  includeUsage: boolean;
}

/** Known to the OpenAI API and not honoured here: named in a 400 rather than dropped. */
const REFUSED: Record<string, (value: unknown) => boolean> = {
  n: (value) => value !== 1,
  tools: (value) => !(Array.isArray(value) && value.length === 0),
  functions: () => true,
  function_call: () => true,
  audio: () => true,
  prediction: () => true,
  web_search_options: () => true,
  logprobs: (value) => value !== false,
  top_logprobs: (value) => value !== 0,
  logit_bias: (value) => Object.keys(value as object).length > 0,
  response_format: (value) => (value as { type?: unknown }).type !== "text",
  modalities: (value) => !(Array.isArray(value) && value.every((one) => one === "text")),
};

/** @throws {ApiError} 400 that names the parameter */
export function parseChatParams(body: Record<string, unknown>): ChatParams {
  const params = validate(schema, body);
  for (const [name, refused] of Object.entries(REFUSED)) {
    const value = body[name];
    if (value !== undefined && value !== null && refused(value)) {
      throw badRequest(
        "unsupported_parameter",
        name,
        `Unsupported parameter: '${name}' is not supported with this model.`,
      );
    }
  }
  if (params.stream_options && !params.stream) {
    throw badRequest(
      "invalid_value",
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  }
  return {
    model: params.model,
    stream: params.stream ?? false,
    includeUsage: params.stream_options?.include_usage ?? false,
    generation: {
      messages: params.messages.map(toPromptMessage),
      stop: stopList(params.stop),
      sampling: {
        temperature: params.temperature ?? 1,
        topP: params.top_p ?? 1,
        frequencyPenalty: params.frequency_penalty ?? 0,
        presencePenalty: params.presence_penalty ?? 0,
        repetitionPenalty: params.repetition_penalty ?? 1,
        seed: params.seed ?? undefined,
        maxTokens: params.max_completion_tokens ?? params.max_tokens ?? undefined,
      },
    },
  };
}

function toPromptMessage(message: z.output<typeof schema>["messages"][number]): PromptMessage {
  const role = message.role === "developer" ? "system" : message.role;
  return { role, text: textOf(message.content) };
}

/** Parts are one text to the model, in order. */
function textOf(content: z.output<typeof text> | null | undefined): string {
  if (typeof content === "string") return content;
  return content?.map((part) => part.text).join("") ?? "";
}

/** An empty stop string would match at once: OpenAI ignores it. */
function stopList(stop: string | string[] | null | undefined): string[] {
  return (typeof stop === "string" ? [stop] : (stop ?? [])).filter((one) => one !== "");
}
