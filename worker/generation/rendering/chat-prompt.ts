/** The prompt of a chat request for a loaded model. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ReplyCache } from "../../prompt/reply-cache.ts";
import type { RepliedWith } from "../../prompt/seen-reply.ts";
import type { ReplyReasoning } from "../../reply/reply-reasoning.ts";
import type { ToolFormat } from "../../tools/formats/tool-format.ts";
import type { PromptRequest } from "../prepare.ts";

/** What a prompt is rendered with, besides the request and the template. */
export interface PromptContext extends Pick<PromptRequest, "promptParam"> {
  model: ChatModelRecord;
  replies: ReplyCache;
}

export interface ChatPrompt {
  prompt: string;
  /** Markers of thoughts; undefined if the model has none. */
  reasoning?: ReplyReasoning;
  /** Whether this reply may begin with a thought. */
  mayThink: boolean;
  /** Undefined if the request has no tools. */
  toolFormat?: ToolFormat;
  /** Called with a reply that the model ended itself. */
  onReply?: (replied: RepliedWith) => void;
}
