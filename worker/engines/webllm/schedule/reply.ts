import type { EngineStep, EngineUsage, GenerateRequest } from "../../../engine-api/chat-engine.ts";
import { ReplyRecorder } from "../../chat/reply-recorder.ts";
import { EventQueue } from "../../scheduling/event-queue.ts";
import { describePrompt, describeTokens } from "../describe-tokens.ts";
import type { LoadedModel } from "../load-model.ts";
import { Slot } from "../slots/slot.ts";
import type { StepRow } from "../step/step-runner.ts";
import { givesWay, type Job } from "./job.ts";

/** One request: its slot, and the steps that its caller reads. */
export class Reply implements Job {
  readonly steps = new EventQueue<EngineStep>();
  /** Resolves once it takes nothing of the engine any more. */
  readonly over: Promise<void>;
  #resolveOver!: () => void;
  readonly scope: string;
  readonly #slot: Slot;
  readonly #model: LoadedModel;
  readonly #request: GenerateRequest;
  readonly #signal: AbortSignal;
  readonly #recorder: ReplyRecorder;
  readonly #promptTokens: number;
  #hasGivenWay = false;
  /** Cached tokens at the first admission: what is computed again after a suspension is not reported. */
  #cachedTokens: number | undefined;

  constructor(model: LoadedModel, request: GenerateRequest, prompt: readonly number[], signal: AbortSignal) {
    this.#model = model;
    this.#request = request;
    this.#signal = signal;
    this.scope = request.cacheScope;
    this.#slot = new Slot(model.pipeline, request, prompt);
    this.#recorder = new ReplyRecorder(request.reader, request.reportsAll);
    this.#promptTokens = prompt.length;
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
    this.#reportPrompt();
  }

  get isBackground(): boolean {
    return givesWay(this.#request.rank ?? "first", this.#hasGivenWay);
  }

  get ids(): readonly number[] {
    return this.#slot.ids;
  }

  get sequence(): number | undefined {
    return this.#slot.sequence;
  }

  get waiting(): readonly number[] {
    return this.#slot.waiting;
  }

  get toScore(): readonly number[] {
    return this.#slot.toScore;
  }

  get mostCached(): number | undefined {
    return this.#slot.mostCached;
  }

  get isOver(): boolean {
    return this.#signal.aborted || this.#hasEnded || this.#slot.end !== undefined;
  }

  prepare(): Promise<void> {
    return this.#slot.prepare();
  }

  begin(found: { id: number; matched: number }): void {
    this.#cachedTokens ??= found.matched;
    this.#slot.begin(found);
  }

  suspend(): void {
    this.#hasGivenWay = true;
    this.#slot.suspend();
  }

  fed(count: number): void {
    this.#slot.fed(count);
  }

  scored(count: number, logits: Float32Array): void {
    this.#slot.scored(count, logits);
    this.#reportPrompt();
  }

  row(): StepRow {
    return this.#slot.row();
  }

  take(id: number): void {
    const { pipeline, tokenForm } = this.#model;
    const slot = this.#slot;
    slot.take(id);
    const text = slot.text.take(slot.stopped ? "stop" : slot.end);
    const sampled = describeTokens(slot.takeLogprobs(), pipeline.tokenizer, tokenForm);
    this.#report(this.#recorder.take(text, slot.completionTokens, slot.isCut ? [] : sampled));
  }

  endOutOfPages(): void {
    const slot = this.#slot;
    slot.end = "length";
    // The beginning of a stop text that does not come is text.
    this.#report(this.#recorder.take(slot.text.take("length"), slot.completionTokens, []));
  }

  finish(): void {
    const { end, text } = this.#slot;
    const { aborted } = this.#signal;
    this.#report(this.#recorder.finish(end === "stop"));
    const isWhole = end === "stop" && !this.#hasEnded && !aborted;
    this.steps.push({
      type: "finish",
      // Even if it ended at the same time: its last events were not delivered.
      reason: aborted ? "abort" : this.#hasEnded ? "stop" : (end ?? "abort"),
      usage: this.#usage(),
      ...(isWhole ? { raw: text.message } : {}),
    });
    this.#end();
  }

  fail(error: unknown): void {
    this.#end(error);
  }

  #end(error?: unknown): void {
    this.steps.end(error);
    this.#resolveOver();
    this.#slot.release();
  }

  /** Whether the request itself ended the reply: by a stop token or string, or by what its reader found. */
  get #hasEnded(): boolean {
    return this.#recorder.ended || this.#slot.stopped;
  }

  #reportPrompt(): void {
    const scores = this.#slot.takePromptScores();
    if (!scores || this.#signal.aborted) return;
    const { pipeline, tokenForm } = this.#model;
    const { prompt } = this.#request;
    const ids = this.#slot.ids.slice(0, this.#promptTokens);
    // Clients know the tokens that they sent.
    const added = typeof prompt === "string" ? 0 : ids.length - prompt.length;
    const tokens = describePrompt(ids, scores, pipeline.tokenizer, tokenForm).slice(added);
    delete tokens[0]!.score;
    this.steps.push({ type: "prompt", tokens, usage: this.#usage() });
  }

  #report(made: ReturnType<ReplyRecorder["finish"]>): void {
    if (made.events.length + made.logprobs.length > 0 && !this.#signal.aborted)
      this.steps.push({ type: "reply", ...made, usage: this.#usage() });
  }

  #usage(): EngineUsage {
    const cachedTokens = this.#cachedTokens ?? 0;
    return { ...this.#recorder.usage(), promptTokens: this.#promptTokens, cachedTokens };
  }
}
