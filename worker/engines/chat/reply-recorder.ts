import { systemClock } from "../../clock.ts";
import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { ReplyEvent } from "../../reply/reply-events.ts";
import { type ReaderOptions, ReplyReader } from "../../reply/reply-reader.ts";
import { LogprobAligner } from "./logprob-aligner.ts";

const CALL_ID_LENGTH = 24;
const mintCallId = (): string => systemClock.id("call_", CALL_ID_LENGTH);

interface Recorded {
  events: ReplyEvent[];
  logprobs: TokenLogprob[];
}

/** Parses one reply step by step, and tracks its token counts and log probabilities. */
export class ReplyRecorder {
  readonly #reader: ReplyReader;
  readonly #logprobs = new LogprobAligner();
  readonly #reportsAll: boolean;
  #reasoningTokens = 0;
  #completionTokens = 0;

  /** @param reportsAll whether tokens without text are reported, at the end */
  constructor(reader: ReaderOptions, reportsAll = false) {
    this.#reportsAll = reportsAll;
    this.#reader = new ReplyReader(reader, mintCallId);
  }

  /** True once the reader has ended the reply, for example at a stop string. */
  get ended(): boolean {
    return this.#reader.ended;
  }

  /**
   * Adds the text and tokens of one step.
   *
   * @param completionTokens of the reply so far
   * @param sampled log probabilities of the step's tokens, if requested
   */
  take(text: string, completionTokens: number, sampled: readonly TokenLogprob[]): Recorded {
    const reasoningBefore = this.#reader.reasoning;
    const events = this.#reader.push(text);
    const reasoned = reasoningBefore || this.#reader.reasoning;
    if (reasoned) this.#reasoningTokens += completionTokens - this.#completionTokens;
    this.#completionTokens = completionTokens;
    this.#logprobs.record(sampled, text, !reasoned);
    return this.#paired(events);
  }

  /**
   * Ends the reply and returns the text that the reader still buffered.
   *
   * @param byModel whether the model ended it, not a limit or an abort
   */
  finish(byModel = false): Recorded {
    const { events, logprobs } = this.#paired(this.#reader.flush(byModel));
    return { events, logprobs: this.#reportsAll ? [...logprobs, ...this.#logprobs.rest()] : logprobs };
  }

  usage(): { completionTokens: number; reasoningTokens: number } {
    return { completionTokens: this.#completionTokens, reasoningTokens: this.#reasoningTokens };
  }

  #paired(events: ReplyEvent[]): Recorded {
    return { events, logprobs: this.#logprobs.deliver(this.#reader.takeSpans()) };
  }
}
