/** Converts a conversation to API parameters. */

import type OpenAI from "openai";
import { takesImages } from "../../../store/models.ts";
import { TOOLS, toDefinition } from "../tools/tools.ts";
import type { Message, Reply, UserMessage } from "./conversation.ts";
import { type ChatSettings, toParameters } from "./settings.ts";

/** In place of an image for a model that takes none: the API refuses the whole conversation otherwise. */
const IMAGE_LEFT_OUT = "[image]";

/**
 * Body of the request that continues `messages`.
 *
 * @param round number of rounds that the reply already has
 * @throws the error of {@link toParameters}
 */
export function toRequest(
  settings: ChatSettings,
  model: string,
  messages: readonly Message[],
  round: number,
): OpenAI.ChatCompletionCreateParamsStreaming {
  return {
    ...toParameters(settings),
    ...toToolParameters(settings, round),
    model,
    messages: toApiMessages(settings.system, messages, takesImages(model)),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toApiMessages(
  system: string,
  messages: readonly Message[],
  withImages: boolean,
): OpenAI.ChatCompletionMessageParam[] {
  const said = messages.flatMap((message) =>
    message.role === "user" ? [toUserMessage(message, withImages)] : toReplyMessages(message),
  );
  return system.trim() === "" ? said : [{ role: "system", content: system }, ...said];
}

function toUserMessage(
  { text, images }: UserMessage,
  withImages: boolean,
): OpenAI.ChatCompletionUserMessageParam {
  if (images.length === 0) return { role: "user", content: text };
  if (!withImages) {
    const marks = images.map(() => IMAGE_LEFT_OUT);
    return { role: "user", content: (text === "" ? marks : [...marks, text]).join("\n") };
  }
  const pictures = images.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return { role: "user", content: text === "" ? pictures : [...pictures, { type: "text", text }] };
}

/** Each round, followed by its tool results. Drops the calls of a round that was cut before its tools ran. */
function toReplyMessages(reply: Reply): OpenAI.ChatCompletionMessageParam[] {
  return reply.rounds.flatMap(({ text, calls }): OpenAI.ChatCompletionMessageParam[] => {
    const answered = calls.filter((call) => call.result !== undefined);
    if (answered.length === 0) return [{ role: "assistant", content: text }];
    const tool_calls = answered.map((call) => ({
      id: call.id,
      type: "function" as const,
      function: { name: call.name, arguments: call.arguments },
    }));
    const answers = answered.map((call) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: call.result!,
    }));
    return [{ role: "assistant", content: text, tool_calls }, ...answers];
  });
}

type ToolParameters = Pick<OpenAI.ChatCompletionCreateParamsStreaming, "tools" | "tool_choice">;

/** @param round from the second round on, a required tool call counts as made */
function toToolParameters({ tools, toolChoice }: ChatSettings, round: number): ToolParameters {
  const offered = TOOLS.filter((tool) => tools.includes(tool.name));
  if (offered.length === 0) return {};
  const definitions = { tools: offered.map(toDefinition) };
  if (round > 0 && toolChoice !== "none") return { ...definitions, tool_choice: "auto" };
  if (toolChoice === "auto" || toolChoice === "none" || toolChoice === "required") {
    return { ...definitions, tool_choice: toolChoice };
  }
  const isOffered = offered.some((tool) => tool.name === toolChoice);
  if (!isOffered) return { ...definitions, tool_choice: "auto" };
  return { ...definitions, tool_choice: { type: "function", function: { name: toolChoice } } };
}
