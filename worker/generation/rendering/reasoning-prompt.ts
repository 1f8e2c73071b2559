/** Where a rendered prompt leaves a model that thinks: before, inside or after its thought. */

import { ANSWER, openMessage, withoutThought } from "../../chat-template/reasoning/harmony.ts";
import type { TemplateReasoning } from "../../chat-template/reasoning/reasoning.ts";
import { begunMessage, type MessageMarkers } from "../../chat-template/traits/message-markers.ts";
import type { ReplyReasoning } from "../../reply/reply-reasoning.ts";
import type { ReasoningMode } from "../chat-request.ts";
import type { ChatPrompt } from "./chat-prompt.ts";

type ReasoningPrompt = Pick<ChatPrompt, "prompt" | "reasoning" | "mayThink">;

/** @param mayCall whether the reply may contain tool calls */
export function reasoningPrompt(
  rendered: string,
  reasoning: TemplateReasoning,
  wanted: ReasoningMode,
  mayCall: boolean,
): ReasoningPrompt {
  const { messages, open, close, variants = [], answer, isDefault } = reasoning;
  if (messages === "harmony") return beforeMessages(rendered, reasoning, wanted, mayCall);
  if (messages) return beforeMarked(rendered, { ...reasoning, messages }, wanted, mayCall);
  const markers = markersOf(reasoning);
  // RWKV's prompts leave the last character of a tag to the model, as a token holds it and a line break.
  if (rendered.endsWith(close.slice(0, -1)))
    return { prompt: `${rendered}${close.slice(-1)}\n`, reasoning: markers, mayThink: false };
  if (answer && answer.open !== "" && rendered.endsWith(answer.open)) {
    const inAnswer = { ...markers, answer: { ...answer, isOpen: true } };
    return { prompt: rendered, reasoning: inAnswer, mayThink: false };
  }
  const tag = open.trimEnd();
  const rest = rendered.endsWith(tag.slice(0, -1)) ? tag.slice(-1) : "";
  const opened = [{ open, close }, ...variants]
    .map((pair) => ({ ...pair, begun: beginningOfThought(rendered + rest, pair.open.trim()) }))
    .find(({ begun }) => begun !== undefined);
  // Closes the thought that a template without a switch opens, as llama.cpp does.
  if (wanted === "off" && opened) {
    const prompt = `${rendered.trimEnd()}${rest}${opened.begun!.replace("<", "</")}\n\n${opened.close}\n\n`;
    return { prompt, reasoning: markers, mayThink: false };
  }
  return {
    prompt: rendered,
    reasoning: {
      ...markers,
      ...(opened ? { startsInside: true } : {}),
      ...(rest === "" ? {} : { variants: [...variants, { open: rest, close }] }),
    },
    mayThink: wanted === "on" || (wanted === "default" && isDefault),
  };
}

/** The prompt of a model whose replies are messages: a thought is one of them. */
function beforeMessages(
  rendered: string,
  reasoning: TemplateReasoning,
  wanted: ReasoningMode,
  mayCall: boolean,
): ReasoningPrompt {
  const prompt = wanted === "off" ? withoutThought(rendered, mayCall) : rendered;
  const begun = openMessage(prompt);
  const inside = begun.endsWith(reasoning.open) ? { startsInside: true } : {};
  const messages = { kind: "harmony", begun } as const;
  const mayThink = wanted !== "off" && !begun.endsWith(ANSWER);
  return { prompt, reasoning: { ...markersOf(reasoning), messages, ...inside }, mayThink };
}

/** The same, where markers end the headers: a template without a switch gets an answer begun, or an empty thought. */
function beforeMarked(
  rendered: string,
  reasoning: TemplateReasoning & { messages: MessageMarkers },
  wanted: ReasoningMode,
  mayCall: boolean,
): ReasoningPrompt {
  const { open, close, messages: markers, switch: by, isDefault } = reasoning;
  const isClosed = wanted === "off" && !by && begunMessage(rendered, markers) === "";
  const prompt = isClosed ? rendered + (mayCall ? open + close : markers.texts[0]!) : rendered;
  const begun = begunMessage(prompt, markers);
  const isInside = begun === markers.thought;
  return {
    prompt,
    reasoning: {
      ...markersOf(reasoning),
      messages: { kind: "marked", markers, begun },
      ...(isInside ? { startsInside: true } : {}),
    },
    mayThink: (isInside || begun === "") && (wanted === "on" || (wanted === "default" && isDefault)),
  };
}

function markersOf({ open, close, variants, answer, channel }: TemplateReasoning): ReplyReasoning {
  return {
    open,
    close,
    ...(variants ? { variants } : {}),
    ...(answer ? { answer } : {}),
    ...(channel === undefined ? {} : { channel }),
  };
}

/** What a prompt has of a thought that it opens: nothing, or a tag such as Seed-OSS's. */
function beginningOfThought(prompt: string, open: string): string | undefined {
  const at = prompt.lastIndexOf(open);
  const begun = prompt.slice(at + open.length).trim();
  return at >= 0 && /^(<[\w:]+>)?$/.test(begun) ? begun : undefined;
}
