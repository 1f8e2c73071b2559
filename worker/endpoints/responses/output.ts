import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { FinishReason } from "../../generation/events.ts";
import type { ReplyEvent } from "../../reply/reply-events.ts";
import { closeEvents, type Draft, deltaEvent, itemOf, openEvents, type ResponseEvent } from "./events.ts";
import type { FunctionPath } from "./namespaces.ts";
import type { ItemStatus, OutputItem } from "./serialize.ts";

interface OutputOptions {
  /** Generates an item id with the given prefix. */
  mintId: (prefix: string) => string;
  /** Reasoning is returned as a summary, because one was requested. */
  asSummary: boolean;
  /** Reasoning has `encrypted_content`, because it was requested. */
  includesEncryptedContent: boolean;
  /** The path of a tool by its name in the prompt. */
  pathOf: (name: string) => FunctionPath;
}

const PREFIX = {
  message: "msg_",
  reasoning: "rs_",
  summary: "rs_",
  function_call: "fc_",
  custom_tool_call: "ctc_",
} as const;

/**
 * Converts a reply to output items and stream events. Responses that are not streamed discard the events, so that
 * both modes return the same items.
 */
export class OutputWriter {
  readonly #options: OutputOptions;
  readonly #done: OutputItem[] = [];
  #draft: Draft | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** All items; an unfinished one is `incomplete`. */
  get items(): OutputItem[] {
    return this.#draft ? [...this.#done, itemOf(this.#draft, "incomplete")] : [...this.#done];
  }

  /** Adds the output of an engine step. Its logprobs are sent with its last text. */
  write(events: readonly ReplyEvent[], logprobs: readonly TokenLogprob[]): ResponseEvent[] {
    const lastText = events.findLast((event) => event.type === "text");
    return events.flatMap((event) => this.#write(event, event === lastText ? logprobs : []));
  }

  /** Ends the reply. A reply without text or calls becomes an empty message, unless it was truncated. */
  finish(reason: FinishReason): ResponseEvent[] {
    const cut = reason === "length";
    const closed = this.#closeOpen(cut ? "incomplete" : "completed");
    if (cut || this.#done.some((item) => item.type !== "reasoning")) return closed;
    return [...closed, ...this.#open("message"), ...this.#close("completed")];
  }

  #write(event: ReplyEvent, logprobs: readonly TokenLogprob[]): ResponseEvent[] {
    switch (event.type) {
      case "text":
        return this.#append("message", event.text, logprobs);
      case "reasoning":
        return this.#append(this.#options.asSummary ? "summary" : "reasoning", event.text, []);
      case "tool-call-start":
        return [
          ...this.#closeOpen(),
          ...this.#open(
            event.isCustom ? "custom_tool_call" : "function_call",
            event.id,
            this.#options.pathOf(event.name),
          ),
        ];
      case "tool-call-delta":
        return this.#append(this.#draft!.kind, event.arguments, []);
      case "tool-call-end":
        // A call that the token limit truncates ends too: only complete arguments complete the item.
        return isWhole(this.#draft) ? this.#close("completed") : [];
    }
  }

  #append(kind: Draft["kind"], text: string, logprobs: readonly TokenLogprob[]): ResponseEvent[] {
    const opened = this.#draft?.kind === kind ? [] : [...this.#closeOpen(), ...this.#open(kind)];
    const draft = this.#draft!;
    draft.text += text;
    draft.logprobs.push(...logprobs);
    return [...opened, deltaEvent(draft, text, logprobs)];
  }

  #open(kind: Draft["kind"], callId = "", path: FunctionPath = { name: "" }): ResponseEvent[] {
    const id = this.#options.mintId(PREFIX[kind]);
    const isSealed = this.#options.includesEncryptedContent && (kind === "reasoning" || kind === "summary");
    const outputIndex = this.#done.length;
    this.#draft = { kind, id, outputIndex, text: "", logprobs: [], callId, path, isSealed };
    return openEvents(this.#draft);
  }

  /** Closes what is open where something else begins or the reply ends. A whole call was closed at its own end. */
  #closeOpen(status: ItemStatus = "completed"): ResponseEvent[] {
    const { kind } = this.#draft ?? {};
    const isCall = kind === "function_call" || kind === "custom_tool_call";
    return this.#close(isCall ? "incomplete" : status);
  }

  #close(status: ItemStatus): ResponseEvent[] {
    const draft = this.#draft;
    if (!draft) return [];
    this.#draft = undefined;
    this.#done.push(itemOf(draft, status));
    return closeEvents(draft, status);
  }
}

/** Whether the arguments of a call are complete JSON. The input of a custom tool is complete if its call has an end. */
function isWhole(draft: Draft | undefined): boolean {
  if (draft?.kind === "custom_tool_call") return true;
  try {
    JSON.parse(draft?.text ?? "");
    return true;
  } catch {
    return false;
  }
}
