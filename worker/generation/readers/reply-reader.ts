import type { ReplyEvent } from "./reply-events.ts";
import { StopReader } from "./stop-reader.ts";

/** How the text of a reply is taken apart. */
export interface ReaderOptions {
  /** The visible text ends before the first of these. */
  stop: readonly string[];
}

/**
 * Reads a reply as it is generated: reasoning, then tool calls, then stop strings in what is left. Runs in the
 * engine worker between two steps, so that the end of a reply never depends on timing.
 */
export class ReplyReader {
  readonly #stop: StopReader;

  constructor(options: ReaderOptions) {
    this.#stop = new StopReader(options.stop);
  }

  /** True once nothing more shall be generated. */
  get ended(): boolean {
    return this.#stop.stopped;
  }

  /** True while the reply is inside its reasoning. */
  get reasoning(): boolean {
    return false;
  }

  push(text: string): ReplyEvent[] {
    return asText(this.#stop.push(text));
  }

  /** The reply is over: gives out what was held back. */
  flush(): ReplyEvent[] {
    return asText(this.#stop.flush());
  }
}

function asText(text: string): ReplyEvent[] {
  return text === "" ? [] : [{ type: "text", text }];
}
