import { systemClock } from "../../clock.ts";
import type { ReplyEvent } from "../../generation/readers/reply-events.ts";
import { type ReaderOptions, ReplyReader } from "../../generation/readers/reply-reader.ts";
import type { TokenLogprob } from "../types.ts";
import type { Pipeline } from "./internals.ts";
import { LogprobLedger } from "./logprobs.ts";
import type { TokenForm } from "./token-bytes.ts";
import type { TokenProcessor } from "./token-processor.ts";

const CALL_ID_LENGTH = 24;
const mintCallId = (): string => systemClock.id("call_", CALL_ID_LENGTH);

interface Recorded {
  events: ReplyEvent[];
  logprobs: TokenLogprob[];
}

/** Follows one reply step by step: its text through the readers, its tokens into counts and log probabilities. */
export class ReplyRecorder {
  readonly #pipeline: Pipeline;
  readonly #reader: ReplyReader;
  readonly #processor: TokenProcessor | undefined;
  readonly #logprobs: LogprobLedger;
  #reasoningTokens = 0;
  #countedTokens = 0;

  constructor(
    pipeline: Pipeline,
    tokenForm: TokenForm,
    reader: ReaderOptions,
    processor: TokenProcessor | undefined,
  ) {
    this.#pipeline = pipeline;
    this.#reader = new ReplyReader(reader, mintCallId);
    this.#processor = processor;
    this.#logprobs = new LogprobLedger(pipeline.tokenizer, tokenForm);
  }

  /** True once the readers want no more. */
  get ended(): boolean {
    return this.#reader.ended;
  }

  /** Takes the text that one step added. */
  take(text: string): Recorded {
    const reasoningBefore = this.#reader.reasoning;
    const events = this.#reader.push(text);
    const reasoned = reasoningBefore || this.#reader.reasoning;
    const tokens = this.#pipeline.getCurRoundCompletionTotalTokens();
    if (reasoned) this.#reasoningTokens += tokens - this.#countedTokens;
    this.#countedTokens = tokens;
    this.#logprobs.record(this.#processor?.take() ?? [], text, !reasoned);
    return this.#paired(events);
  }

  /** The reply is over: what the readers still held. */
  finish(): Recorded {
    return this.#paired(this.#reader.flush());
  }

  usage(): { completionTokens: number; reasoningTokens: number } {
    return {
      completionTokens: this.#pipeline.getCurRoundCompletionTotalTokens(),
      reasoningTokens: this.#reasoningTokens,
    };
  }

  #paired(events: ReplyEvent[]): Recorded {
    const length = events.reduce((sum, event) => sum + (event.type === "text" ? event.text.length : 0), 0);
    return { events, logprobs: this.#logprobs.deliver(length) };
  }
}
