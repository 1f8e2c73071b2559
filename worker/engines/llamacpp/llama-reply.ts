import type {
  ChatModelInfo,
  EngineStep,
  EngineUsage,
  GenerateRequest,
  PromptToken,
  TokenLogprob,
} from "../../engine-api/chat-engine.ts";
import { finiteLogprob } from "../chat/logprob-aligner.ts";
import { ReplyRecorder } from "../chat/reply-recorder.ts";
import { tokenText } from "../chat/token-bytes.ts";
import type { CompletionStep, ReportedToken } from "./llama-instance.ts";

interface ReplyContext extends Pick<ChatModelInfo, "contextWindow"> {
  promptTokens: number;
  /** Aborts when the caller does. */
  signal: AbortSignal;
  emit(step: EngineStep): void;
}

/** Converts llama.cpp's steps of one reply to engine steps. */
export class LlamaReply {
  readonly #recorder: ReplyRecorder;
  readonly #topLogprobs: number | undefined;
  readonly #stopTokens: ReadonlySet<number>;
  readonly #includesStop: boolean;
  #stopped = false;
  readonly #maxTokens: number | undefined;
  /** Where a prompt with images ends its reply: llama.cpp rounds its own window up, and only it knows their tokens. */
  readonly #window: number;
  readonly #emit: ReplyContext["emit"];
  readonly #signal: AbortSignal;
  readonly #readersEnd = new AbortController();
  /** Aborts when the caller aborts or the reader ends the reply. */
  readonly ended: AbortSignal;
  #usage: EngineUsage;
  #raw = "";
  #reason: "stop" | "length" | "abort" = "abort";

  constructor(request: GenerateRequest, { promptTokens, contextWindow, signal, emit }: ReplyContext) {
    this.#recorder = new ReplyRecorder(request.reader, request.reportsAll);
    this.#topLogprobs = request.topLogprobs;
    this.#maxTokens = request.sampling.maxTokens;
    this.#stopTokens = new Set(request.sampling.stopTokens);
    this.#includesStop = request.reader.includeStop ?? false;
    this.#usage = { promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
    this.#window = request.images ? contextWindow : Number.POSITIVE_INFINITY;
    this.#signal = signal;
    this.#emit = emit;
    this.ended = AbortSignal.any([signal, this.#readersEnd.signal]);
  }

  get usage(): EngineUsage {
    return this.#usage;
  }

  /** Reports the tokens of the prompt. */
  report([first, ...tokens]: readonly PromptToken[]): void {
    const { id, token, bytes } = first!;
    // What precedes the first is the engine's.
    this.#emit({ type: "prompt", tokens: [{ id, token, bytes }, ...tokens], usage: this.#usage });
    if (this.#maxTokens === 0) this.#reason = "length";
  }

  take(step: CompletionStep): void {
    if (this.ended.aborted) return;
    const text = this.#untilStop(step);
    this.#raw += text;
    this.#reason = step.finishReason ?? this.#reason;
    const { promptTokens, cachedTokens, completionTokens } = step;
    const isCut = this.#stopped && !this.#includesStop;
    const reported = this.#topLogprobs === undefined || isCut ? [] : step.logprobs;
    const logprobs = reported.map((token) => this.#describe(token));
    const taken = this.#recorder.take(text, completionTokens, logprobs);
    this.#usage = { promptTokens, cachedTokens, ...this.#recorder.usage() };
    if (taken.events.length > 0) this.#emit({ type: "reply", ...taken, usage: this.#usage });
    const isFull = step.finishReason === null && promptTokens + completionTokens >= this.#window;
    if (isFull) this.#reason = "length";
    // The library checks the signal before it computes the next token.
    if (this.#recorder.ended || this.#stopped || isFull) this.#readersEnd.abort();
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

  finish(): void {
    const { aborted } = this.#signal;
    const last = this.#recorder.finish(this.#reason === "stop");
    if (last.events.length + last.logprobs.length > 0 && !aborted)
      this.#emit({ type: "reply", ...last, usage: this.#usage });
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

/** The text of a token is that of its bytes: llama.cpp's own is cut or replaced in part of a character. */
function describe({ token, bytes, logprob }: ReportedToken): Omit<TokenLogprob, "top"> {
  return {
    token: bytes.length > 0 ? tokenText(Uint8Array.from(bytes)) : token,
    bytes,
    logprob: finiteLogprob(logprob),
  };
}
