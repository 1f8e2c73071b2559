import type { GenerateRequest } from "../../../engine-api/chat-engine.ts";
import { UniformNumbers } from "../../chat/random-stream.ts";
import { EndTokens, ignoresEnds } from "../end-tokens.ts";
import type { StepRow } from "../step/step-runner.ts";
import { choosesTokens, type SampledToken, TokenProcessor } from "../token-processor.ts";
import type { Pipeline } from "../tvm/pipeline.ts";
import { PromptScores, type RankedToken } from "./prompt-scores.ts";
import { SlotGrammar } from "./slot-grammar.ts";
import { SlotText } from "./slot-text.ts";

/** Why a reply ended by itself. */
type SlotEnd = "stop" | "length";

/** The state of one running reply. */
export class Slot {
  /** Its sequence in the KV cache; undefined while it has none. */
  sequence: number | undefined;
  readonly text: SlotText;
  /** Sampled tokens, the end token included. */
  completionTokens = 0;
  end: SlotEnd | undefined;
  readonly #request: GenerateRequest;
  readonly #pipeline: Pipeline;
  readonly #uniforms: UniformNumbers;
  readonly #ends: EndTokens;
  readonly #processor: TokenProcessor;
  readonly #grammar: SlotGrammar | undefined;
  /** Occurrences of each token in the reply, without the end token. */
  readonly #counts = new Map<number, number>();
  readonly #stopTokens: readonly number[];
  readonly #ids: number[];
  readonly #promptLength: number;
  /** Until they are all there. */
  #scores: PromptScores | undefined;
  /** Why this reply cannot go on, while others can. */
  #fault: unknown;
  /** Tokens in the KV cache. */
  #length = 0;

  /** @param prompt all ids of the prompt */
  constructor(pipeline: Pipeline, request: GenerateRequest, prompt: readonly number[]) {
    const { sampling, constraint, topLogprobs, promptLogprobs, continuesPrompt } = request;
    this.#pipeline = pipeline;
    this.#request = request;
    this.#ids = [...prompt];
    this.#promptLength = prompt.length;
    if (promptLogprobs !== undefined) this.#scores = new PromptScores(prompt, promptLogprobs);
    const goesOn = ignoresEnds(request);
    this.#stopTokens = goesOn ? [] : pipeline.stopTokens;
    this.text = new SlotText(
      pipeline.tokenizer,
      goesOn ? [] : pipeline.stopStr,
      continuesPrompt ? prompt : [],
    );
    this.#uniforms = new UniformNumbers(request.randomState);
    this.#ends = new EndTokens(sampling, this.#stopTokens, constraint !== undefined);
    this.#processor = new TokenProcessor(sampling, topLogprobs, prompt, this.#ends);
    this.#grammar = constraint && new SlotGrammar(pipeline, constraint);
  }

  /** Whether a stop token of the request was sampled. */
  get stopped(): boolean {
    return this.#ends.stopped;
  }

  /** Whether the last token's text is omitted, like that of a stop string. */
  get isCut(): boolean {
    return this.stopped && !this.#request.reader.includeStop;
  }

  /** The prompt and all sampled tokens. */
  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Tokens to feed next. */
  get waiting(): readonly number[] {
    return this.#ids.slice(this.#length);
  }

  /** Those of them whose logits are needed: all of the prompt but its last. */
  get toScore(): readonly number[] {
    return this.#scores ? this.#ids.slice(this.#length, this.#promptLength - 1) : [];
  }

  /** Tokens that need not be fed again: those after which the logits were read. Undefined for all, if none are. */
  get mostCached(): number | undefined {
    return this.#scores && this.#scores.scores.length - 1;
  }

  /** Compiles the grammar. One reply at a time. @throws {EngineError} `invalid_request` for one that xgrammar refuses */
  async prepare(): Promise<void> {
    await this.#grammar?.prepare();
  }

  /** @param found a sequence with the first `matched` ids */
  begin({ id, matched }: { id: number; matched: number }): void {
    this.sequence = id;
    this.#length = matched;
    this.#scores?.cut(matched);
  }

  suspend(): void {
    this.sequence = undefined;
  }

  /** Notes that the first `count` waiting tokens were fed. */
  fed(count: number): void {
    this.#length += count;
  }

  /** Notes that so many of {@link toScore} were fed, with the logits after each. */
  scored(count: number, logits: Float32Array): void {
    this.#length += count;
    this.#scores!.add(logits, this.#pipeline.fullVocabSize);
  }

  /** The prompt's scores, once, when they are all there. Without a token to generate, this ends the reply. */
  takePromptScores(): readonly (RankedToken | undefined)[] | undefined {
    if (!this.#scores?.isWhole) return undefined;
    const { scores } = this.#scores;
    this.#scores = undefined;
    if (this.#request.sampling.maxTokens === 0) this.end = "length";
    return scores;
  }

  /**
   * The reply's part of the step that feeds all waiting tokens. Draws a random number. Its functions run within the step
   * that other replies share: what they throw, {@link take} throws.
   */
  row(): StepRow {
    const { sampling, topLogprobs } = this.#request;
    const { temperature, topP, logitBias, presencePenalty, frequencyPenalty } = sampling;
    const row: StepRow = {
      sequence: this.sequence!,
      ids: this.waiting,
      // Limits of web-llm's sampler.
      temperature: Math.max(temperature, 1e-6),
      topP: Math.max(topP, 1e-5),
      uniform: this.#uniforms.next(),
    };
    const grammar = this.#grammar;
    if (grammar) row.mask = () => grammar.mask().catch((error) => this.#note(error));
    if (choosesTokens(sampling)) {
      // Then it applies bias, penalties and barred end tokens as well.
      row.process = (logits) => this.#guard(() => this.#processor.processLogits(logits));
      return row;
    }
    if (topLogprobs !== undefined)
      row.observe = (logits) => this.#guard(() => this.#processor.observe(logits));
    if (this.#ends.barred) row.barred = this.#ends.barred;
    row.bias = logitBias;
    if (presencePenalty !== 0 || frequencyPenalty !== 0)
      row.penalties = { presence: presencePenalty, frequency: frequencyPenalty, counts: this.#counts };
    return row;
  }

  /**
   * Adds the sampled token, and ends the reply where it does.
   *
   * @throws {Error} if the grammar forbids it, or if the reply's part of the step failed
   */
  take(id: number): void {
    if (this.#fault !== undefined) throw this.#fault;
    this.#length = this.#ids.length;
    this.#ids.push(id);
    this.completionTokens++;
    this.#processor.processSampledToken(id);
    this.#grammar?.accept(id);
    const isEnd = this.#stopTokens.includes(id);
    if (!isEnd) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    if (!isEnd && !this.isCut) this.text.push(id);
    const { maxTokens = Number.POSITIVE_INFINITY } = this.#request.sampling;
    if (isEnd || this.text.stopped) this.end = "stop";
    else if (this.completionTokens >= maxTokens) this.end = "length";
    else if (this.#length >= this.#pipeline.contextWindowSize) this.end = "length";
  }

  /** Log probabilities since the last call. Empty unless requested. */
  takeLogprobs(): SampledToken[] {
    return this.#processor.take();
  }

  release(): void {
    this.#grammar?.release();
  }

  #guard(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#note(error);
    }
  }

  #note(error: unknown): undefined {
    this.#fault ??= error ?? new Error("its part of the step failed");
  }
}
