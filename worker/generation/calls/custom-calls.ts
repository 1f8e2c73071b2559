/** Converts calls of the functions that replace custom tools to calls of these tools. */

import type { ReplyEvent } from "../../reply/reply-events.ts";
import { InputReader } from "../../tools/custom/input-reader.ts";

/**
 * Converts the events of one reply: calls of custom tools are marked, and have their input in place of arguments. Such a
 * call has an end only if its input is complete.
 */
export class CustomCalls {
  readonly #names: ReadonlySet<string>;
  /** The input of the open call; undefined for a call of a function. */
  #input: InputReader | undefined;

  /** @param names of the custom tools */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  convert(event: ReplyEvent): ReplyEvent[] {
    switch (event.type) {
      case "tool-call-start": {
        const isCustom = this.#names.has(event.name);
        // A call before it may have no end.
        this.#input = isCustom ? new InputReader() : undefined;
        return [isCustom ? { ...event, isCustom } : event];
      }
      case "tool-call-delta": {
        if (!this.#input) return [event];
        const text = this.#input.push(event.arguments);
        return text === "" ? [] : [{ ...event, arguments: text, isCustom: true }];
      }
      case "tool-call-end": {
        const isComplete = this.#input?.end() ?? true;
        this.#input = undefined;
        return isComplete ? [event] : [];
      }
      default:
        return [event];
    }
  }
}
