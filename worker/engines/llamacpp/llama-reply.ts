import type { EngineStep, EngineUsage, GenerateRequest, TokenLogprob } from "../api/types.ts";
import { finiteLogprob } from "../chat/logprob-aligner.ts";
import { ReplyRecorder } from "../chat/reply-recorder.ts";
import { tokenText } from "../chat/token-bytes.ts";
import type { CompletionStep, ReportedToken } from "./llama-instance.ts";

/** Converts llama.cpp's steps of one reply to engine steps. A reply may run twice (see `begin`). */
export class LlamaReply {
  readonly #recorder: ReplyRecorder;
  readonly #topLogprobs: number | undefined;
  readonly #stopTokens: ReadonlySet<number>;
  readonly #includesStop: boolean;
  readonly #maxTokens: number | undefined;
  #stopped = false;
  readonly #emit: (step: EngineStep) => void;
  readonly #signal: AbortSignal;
  readonly #readersEnd = new AbortController();
  /** Aborts when the caller aborts or the reader ends the reply. */
  readonly ended: AbortSignal;
  #usage: EngineUsage;
  #raw = "";
  #reason: "stop" | "length" | "abort" = "abort";
  #runs = 0;
  /** Characters received in this run; text already taken in an earlier run is skipped. */
  #seen = 0;

  constructor(
    request: GenerateRequest,
    promptTokens: number,
    signal: AbortSignal,
    emit: (step: EngineStep) => void,
  ) {
    this.#recorder = new ReplyRecorder(request.reader);
    this.#topLogprobs = request.topLogprobs;
    this.#stopTokens = new Set(request.sampling.stopTokens);
    this.#includesStop = request.reader.includeStop ?? false;
    this.#maxTokens = request.sampling.maxTokens;
    this.#usage = { promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
    this.#signal = signal;
    this.#emit = emit;
    this.ended = AbortSignal.any([signal, this.#readersEnd.signal]);
  }

  get usage(): EngineUsage {
    return this.#usage;
  }

  /** Starts a run. A second run repeats the first one's text and continues where it stopped. */
  begin(): void {
    this.#runs++;
    this.#seen = 0;
  }

  take(step: CompletionStep): void {
    if (this.ended.aborted) return;
    const before = this.#seen;
    const stepText = this.#untilStop(step);
    this.#seen += stepText.length;
    const text = stepText.slice(Math.max(0, this.#raw.length - before));
    if (text === "" && this.#seen < this.#raw.length && !this.#stopped) return;
    this.#raw += text;
    this.#reason = step.finishReason ?? this.#reason;
    const { promptTokens, completionTokens } = step;
    // Usage counts the first run's cached tokens; a second run also finds those that the first one cached.
    const cachedTokens = this.#runs === 1 ? step.cachedTokens : this.#usage.cachedTokens;
    const reported = this.#topLogprobs === undefined || this.#stopped ? [] : step.logprobs;
    const logprobs = reported.map((token) => this.#describe(token));
    const taken = this.#recorder.take(text, completionTokens, logprobs);
    this.#usage = { promptTokens, cachedTokens, ...this.#recorder.usage() };
    if (taken.events.length > 0) this.#emit({ type: "reply", ...taken, usage: this.#usage });
    // The library checks the signal before it computes the next token.
    if (this.#recorder.ended || this.#stopped) this.#readersEnd.abort();
  }

  /** A step's text up to the first of the request's stop tokens, if any. */
  #untilStop({ text, logprobs }: CompletionStep): string {
    const at = logprobs.findIndex(({ id }) => this.#stopTokens.has(id));
    if (at < 0) return text;
    this.#stopped = true;
    if (this.#includesStop) return text;
    const before = logprobs.slice(0, at).map(({ token }) => token);
    return before.join("");
  }

  /** Finishes a reply whose last step was lost because the token limit split a character. */
  finishAtLimit(): void {
    this.#reason = "length";
    const { completionTokens } = this.#usage;
    this.#recorder.take("", this.#maxTokens ?? completionTokens, []);
    this.#usage = { ...this.#usage, ...this.#recorder.usage() };
    this.finish();
  }

  finish(): void {
    const { aborted } = this.#signal;
    const last = this.#recorder.finish(this.#reason === "stop");
    if (last.events.length > 0 && !aborted) this.#emit({ type: "reply", ...last, usage: this.#usage });
    const whole = this.#reason === "stop" && !this.ended.aborted;
    this.#emit({
      type: "finish",
      reason: aborted ? "abort" : this.#recorder.ended || this.#stopped ? "stop" : this.#reason,
      usage: this.#usage,
      ...(whole ? { raw: this.#raw } : {}),
    });
  }

  /** Reports the sampled token and the requested number of alternatives. */
  #describe(reported: ReportedToken): TokenLogprob {
    const top = (reported.top_logprobs ?? []).slice(0, this.#topLogprobs);
    return { ...describe(reported), top: top.map(describe) };
  }
}

function describe({ token, bytes, logprob }: ReportedToken): Omit<TokenLogprob, "top"> {
  const isPart = token === "" && bytes.length > 0;
  return {
    token: isPart ? tokenText(Uint8Array.from(bytes)) : token,
    bytes,
    logprob: finiteLogprob(logprob),
  };
}
