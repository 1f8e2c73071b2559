import type { ChatCompletionChunk } from "@mlc-ai/web-llm";
import type { EngineStep, EngineUsage, GenerateRequest } from "../../../engine-api/chat-engine.ts";
import { ReplyRecorder } from "../../chat/reply-recorder.ts";
import type { TokenForm } from "../../chat/token-bytes.ts";
import { describeTokens } from "../describe-tokens.ts";
import { EndTokens, ignoresEnds } from "../end-tokens.ts";
import { droppedSpace } from "../text/dropped-space.ts";
import { TextDelta } from "../text/text-delta.ts";
import { needsProcessor, TokenProcessor } from "../token-processor.ts";
import type { Pipeline } from "../tvm/pipeline.ts";
import type { PromptPlan } from "./kv-cache-tracker.ts";

interface SingleReplyContext {
  pipeline: Pipeline;
  plan: PromptPlan;
  /** Tokens that the model prepends to the prompt. */
  prefix: readonly number[];
  tokenForm: TokenForm;
  /** Interrupts web-llm after the current token. */
  interrupt(): void;
}

/** Converts web-llm's chunks of one reply to engine steps. */
export class SingleReply {
  /** What web-llm must call for each token; undefined if its own sampler does all that is requested. */
  readonly processor: TokenProcessor | undefined;
  readonly #pipeline: Pipeline;
  readonly #plan: PromptPlan;
  readonly #tokenForm: TokenForm;
  readonly #includesStop: boolean;
  readonly #ends: EndTokens;
  readonly #recorder: ReplyRecorder;
  readonly #delta: TextDelta;
  readonly #continuesPrompt: boolean;
  /** Before the reply; undefined before its first token. */
  #space: "" | " " | undefined;
  #message = "";
  #finishReason = "abort";

  constructor(
    request: GenerateRequest,
    { pipeline, plan, prefix, tokenForm, interrupt }: SingleReplyContext,
  ) {
    const { sampling, topLogprobs, constraint, reader, continuesPrompt = false } = request;
    const ignored = ignoresEnds(request);
    const modelEnds = ignored ? [] : pipeline.stopTokens;
    // Interrupts here too, since web-llm makes no chunk of part of a character.
    this.#ends = new EndTokens(sampling, modelEnds, constraint !== undefined, interrupt);
    if (needsProcessor(sampling, topLogprobs))
      this.processor = new TokenProcessor(sampling, topLogprobs, [...prefix, ...plan.tokens], this.#ends);
    this.#pipeline = pipeline;
    this.#plan = plan;
    this.#continuesPrompt = continuesPrompt;
    this.#tokenForm = tokenForm;
    this.#includesStop = reader.includeStop ?? false;
    this.#recorder = new ReplyRecorder(reader);
    this.#delta = new TextDelta(ignored ? [] : pipeline.stopStr);
  }

  /** True once the reader or one of the request's stop tokens has ended the reply. */
  get isEndedHere(): boolean {
    return this.#recorder.ended || this.#ends.stopped;
  }

  /** True if web-llm stopped by itself: at the model's end token or at a stop string of its template. */
  get isEndedByModel(): boolean {
    return this.#finishReason === "stop";
  }

  get #usage(): EngineUsage {
    const { promptTokens, cachedTokens } = this.#plan;
    return { ...this.#recorder.usage(), promptTokens, cachedTokens };
  }

  /** @returns what is new in the reply, if anything */
  take(chunk: ChatCompletionChunk): EngineStep | undefined {
    const choice = chunk.choices[0];
    const { stopped } = this.#ends;
    this.#finishReason = choice?.finish_reason ?? this.#finishReason;
    const sampled = describeTokens(this.processor?.take() ?? [], this.#pipeline.tokenizer, this.#tokenForm);
    // Omit the stop token's text, like that of a stop string.
    const isCut = stopped && !this.#includesStop;
    if (!isCut) this.#message = this.#spaceBefore() + this.#pipeline.getMessage();
    // web-llm's own delta lacks part of a character that the model ends with, and has parts of stop texts.
    const isEnd = stopped || choice?.finish_reason === "stop";
    const end = isEnd ? "stop" : choice?.finish_reason ? "length" : undefined;
    const text = choice ? this.#delta.next(this.#message, end) : "";
    const tokens = this.#pipeline.getCurRoundCompletionTotalTokens();
    return this.#step(this.#recorder.take(text, tokens, isCut ? [] : sampled));
  }

  #spaceBefore(): string {
    const { outputIds, tokenizer } = this.#pipeline;
    if (!this.#continuesPrompt || outputIds.length === 0) return "";
    this.#space ??= droppedSpace(tokenizer, this.#plan.tokens, outputIds);
    return this.#space;
  }

  /** @returns what the reader still held, if anything */
  flush(): EngineStep | undefined {
    return this.#step(this.#recorder.finish(this.isEndedByModel));
  }

  finish(aborted: boolean): EngineStep {
    const reason = this.#finishReason;
    const ended = this.isEndedHere ? "stop" : reason === "stop" || reason === "length" ? reason : "abort";
    const whole = this.isEndedByModel && !this.isEndedHere && !aborted;
    return {
      type: "finish",
      // Even if it ended at the same time: its last events were not delivered.
      reason: aborted ? "abort" : ended,
      usage: this.#usage,
      ...(whole ? { raw: this.#pipeline.getMessage() } : {}),
    };
  }

  #step(recorded: ReturnType<ReplyRecorder["take"]>): EngineStep | undefined {
    return recorded.events.length > 0 ? { type: "reply", ...recorded, usage: this.#usage } : undefined;
  }
}
