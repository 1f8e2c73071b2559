/** Typed events of a streamed response, without `sequence_number` (OpenAI reference, Streaming events). */

import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import { toEncryptedContent } from "./encrypted-content.ts";
import type { FunctionPath } from "./namespaces.ts";
import {
  type ItemStatus,
  type OutputItem,
  outputText,
  type ResponseObject,
  shownLogprobs,
} from "./serialize.ts";

/** An output item in progress. */
export interface Draft {
  kind: "message" | "reasoning" | "summary" | "function_call" | "custom_tool_call";
  id: string;
  outputIndex: number;
  /** Text, reasoning, arguments or input so far. */
  text: string;
  logprobs: TokenLogprob[];
  /** For calls only, as `path`. */
  callId: string;
  path: FunctionPath;
  /** Whether a thought has `encrypted_content`, because it was requested. */
  isSealed: boolean;
}

export type ResponseEvent =
  | { type: `response.${ResponseObject["status"] | "created"}`; response: ResponseObject }
  | ReturnType<typeof openEvents>[number]
  | ReturnType<typeof deltaEvent>
  | ReturnType<typeof closeEvents>[number];

/** The current state of the item. @param begun false omits its part */
export function itemOf(draft: Draft, status: ItemStatus, begun = true): OutputItem {
  const { id, text, callId, path } = draft;
  const sealed = draft.isSealed && begun ? { encrypted_content: toEncryptedContent(text) } : {};
  const reasoning = { id, type: "reasoning" as const, status, ...sealed };
  switch (draft.kind) {
    case "message":
      return {
        id,
        type: "message",
        status,
        role: "assistant",
        content: begun ? [outputText(text, draft.logprobs)] : [],
      };
    case "reasoning":
      return { ...reasoning, summary: [], content: begun ? [thought(text)] : [] };
    case "summary":
      return { ...reasoning, summary: begun ? [summary(text)] : [] };
    case "function_call":
      return { id, type: "function_call", status, call_id: callId, ...path, arguments: text };
    case "custom_tool_call":
      return { id, type: "custom_tool_call", status, call_id: callId, ...path, input: text };
  }
}

/** Events for a new item: the empty item and its empty part. */
export function openEvents(draft: Draft) {
  const item = itemOf(draft, "in_progress", false);
  const added = { type: "response.output_item.added" as const, output_index: draft.outputIndex, item };
  const at = placeOf(draft);
  switch (draft.kind) {
    case "message":
    case "reasoning": {
      const part = draft.kind === "message" ? outputText("", []) : thought("");
      return [added, { type: "response.content_part.added" as const, ...at, content_index: 0, part }];
    }
    case "summary": {
      const part = summary("");
      return [
        added,
        { type: "response.reasoning_summary_part.added" as const, ...at, summary_index: 0, part },
      ];
    }
    case "function_call":
    case "custom_tool_call":
      return [added];
  }
}

/** Event for text that was added to an item. */
export function deltaEvent(draft: Draft, delta: string, logprobs: readonly TokenLogprob[]) {
  const at = placeOf(draft);
  switch (draft.kind) {
    case "message": {
      const shown = shownLogprobs(logprobs);
      return { type: "response.output_text.delta" as const, ...at, content_index: 0, delta, logprobs: shown };
    }
    case "reasoning":
      return { type: "response.reasoning_text.delta" as const, ...at, content_index: 0, delta };
    case "summary":
      return { type: "response.reasoning_summary_text.delta" as const, ...at, summary_index: 0, delta };
    case "function_call":
      return { type: "response.function_call_arguments.delta" as const, ...at, delta };
    case "custom_tool_call":
      return { type: "response.custom_tool_call_input.delta" as const, ...at, delta };
  }
}

/** Events for a finished item: its full text, part and item. */
export function closeEvents(draft: Draft, status: ItemStatus) {
  const item = itemOf(draft, status);
  const done = { type: "response.output_item.done" as const, output_index: draft.outputIndex, item };
  const at = placeOf(draft);
  const { text, path } = draft;
  switch (draft.kind) {
    case "message": {
      const part = outputText(text, draft.logprobs);
      const { logprobs } = part;
      return [
        { type: "response.output_text.done" as const, ...at, content_index: 0, text, logprobs },
        { type: "response.content_part.done" as const, ...at, content_index: 0, part },
        done,
      ];
    }
    case "reasoning":
      return [
        { type: "response.reasoning_text.done" as const, ...at, content_index: 0, text },
        { type: "response.content_part.done" as const, ...at, content_index: 0, part: thought(text) },
        done,
      ];
    case "summary":
      return [
        { type: "response.reasoning_summary_text.done" as const, ...at, summary_index: 0, text },
        {
          type: "response.reasoning_summary_part.done" as const,
          ...at,
          summary_index: 0,
          part: summary(text),
        },
        done,
      ];
    case "function_call":
      return [
        { type: "response.function_call_arguments.done" as const, ...at, name: path.name, arguments: text },
        done,
      ];
    case "custom_tool_call":
      return [{ type: "response.custom_tool_call_input.done" as const, ...at, input: text }, done];
  }
}

function placeOf({ id, outputIndex }: Draft) {
  return { item_id: id, output_index: outputIndex };
}

function thought(text: string) {
  return { type: "reasoning_text" as const, text };
}

function summary(text: string) {
  return { type: "summary_text" as const, text };
}
