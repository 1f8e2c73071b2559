/** From a conversation to a generation: the prompt, what constrains the reply, and how it is read. */

import type { ModelRecord } from "../catalog/model-record.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Generation } from "./generate.ts";
import type { ChatMessage, PromptTurn } from "./prompt/messages.ts";
import { renderPrompt } from "./prompt/render.ts";
import type { ReplyMemory } from "./prompt/reply-memory.ts";

export function toGeneration(chat: ChatRequest, model: ModelRecord, memory: ReplyMemory): Generation {
  const turns = toTurns(chat, model);
  return {
    model,
    prompt: ({ conversation }) =>
      renderPrompt(
        turns.map(({ turn }) => turn),
        conversation,
        (prompt, at) => {
          const message = turns[at]?.message;
          return message?.role === "assistant" ? memory.recall(prompt, message) : undefined;
        },
      ),
    promptParam: "messages",
    choices: chat.choices,
    request: {
      sampling: chat.sampling,
      reader: { stop: chat.stop },
      ...(chat.topLogprobs === undefined ? {} : { topLogprobs: chat.topLogprobs }),
    },
  };
}

interface Turn {
  turn: PromptTurn;
  message?: ChatMessage;
}

/** The leading system messages become one. */
function toTurns(chat: ChatRequest, _model: ModelRecord): Turn[] {
  const messages = [...chat.messages];
  const leading: string[] = [];
  while (messages[0]?.role === "system") leading.push(messages.shift()!.text);
  const turns: Turn[] = messages.map((message) => ({
    turn: { role: message.role, text: message.text },
    message,
  }));
  if (leading.length > 0) turns.unshift({ turn: { role: "system", text: leading.join("\n\n") } });
  return turns;
}
