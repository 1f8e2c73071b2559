import type { ReplyEvent } from "../reply/reply-events.ts";
import type { ToolCall } from "../tools/tool-types.ts";

/** A reply as clients send it back: without reasoning, with calls as JSON. */
export interface VisibleReply {
  text: string;
  toolCalls: readonly Pick<ToolCall, "name" | "arguments">[];
}

/** A whole reply: the prompt, including the assistant's header, what the client saw, and the raw text. */
export interface RepliedWith {
  prompt: string;
  seen: SeenReply;
  raw: string;
}

/** Builds the visible reply from its events, without keeping them. */
export class SeenReply implements VisibleReply {
  text = "";
  reasoning = "";
  readonly toolCalls: { name: string; arguments: string }[] = [];
  readonly callIds: string[] = [];

  see(event: ReplyEvent): void {
    if (event.type === "text") this.text += event.text;
    else if (event.type === "reasoning") this.reasoning += event.text;
    else if (event.type === "tool-call-start") {
      this.toolCalls[event.index] = { name: event.name, arguments: "" };
      this.callIds[event.index] = event.id;
    } else if (event.type === "tool-call-delta") this.toolCalls[event.index]!.arguments += event.arguments;
  }
}
