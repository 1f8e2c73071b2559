import { EngineError } from "../engine-error.ts";
import { EventQueue } from "../event-queue.ts";
import { readMetadata } from "../gguf/metadata.ts";
import { finiteLogprob } from "../logprob-ledger.ts";
import { ReplyRecorder } from "../reply-recorder.ts";
import { tokenText } from "../token-bytes.ts";
import type {
  ChatModelFacts,
  EngineStep,
  EngineUsage,
  GenerateRequest,
  GgufFiles,
  LoadProgress,
  TokenLogprob,
} from "../types.ts";
import { completionRequest } from "./completion-request.ts";
import { readConversation } from "./conversation.ts";
import { GgufTokenizer } from "./gguf-tokenizer.ts";
import { type CompletionStep, LlamaInstance, needsCompat, type ReportedToken } from "./llama-instance.ts";
import { bringGguf } from "./model-files.ts";
import { planMemory } from "./plan-memory.ts";

/** Where the build put llama.cpp's files: beside the folder of the workers. */
const ASSETS_URL = new URL("../llamacpp/", self.location.href).href;

/** One model in llama.cpp. Its caller hands it one request at a time. */
export class LlamaCppEngine {
  readonly #instance: LlamaInstance;
  readonly #tokenizer: GgufTokenizer;
  readonly facts: ChatModelFacts;

  private constructor(instance: LlamaInstance, tokenizer: GgufTokenizer, facts: ChatModelFacts) {
    this.#instance = instance;
    this.#tokenizer = tokenizer;
    this.facts = facts;
  }

  /** @throws {EngineError} */
  static async load(files: GgufFiles, onProgress: (progress: LoadProgress) => void): Promise<LlamaCppEngine> {
    const parts = await bringGguf(files, onProgress);
    const metadata = await readMetadata(parts[0]!);
    const tokenizer = new GgufTokenizer(metadata);
    const plan = planMemory(metadata, parts, files);
    const instance = await LlamaInstance.load(parts, { assetsURL: ASSETS_URL, ...plan });
    return new LlamaCppEngine(instance, tokenizer, {
      engine: "llamacpp",
      contextWindow: plan.contextWindow,
      vocabularySize: tokenizer.vocabularySize,
      conversation: readConversation(metadata),
      device: `wasm: ${needsCompat() ? "compatible build, " : ""}${plan.threads} thread${plan.threads > 1 ? "s" : ""}`,
    });
  }

  countTokens(prompt: string | readonly number[]): number {
    const tokens = typeof prompt === "string" ? this.#tokenizer.encode(prompt) : this.#withoutBos(prompt);
    return tokens.length + (this.#instance.addsBos ? 1 : 0);
  }

  decode(tokens: readonly number[]): string {
    return this.#tokenizer.decode(tokens);
  }

  /** @throws {EngineError} or whatever llama.cpp throws */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const prompt = this.#asText(request.prompt);
    const recorder = new ReplyRecorder(request.reader);
    const steps = new EventQueue<EngineStep>();
    const stop = new AbortController();
    let usage: EngineUsage = {
      promptTokens: this.countTokens(request.prompt),
      cachedTokens: 0,
      completionTokens: 0,
      reasoningTokens: 0,
    };
    let raw = "";
    let reason: "stop" | "length" | "abort" = "abort";
    const onStep = (step: CompletionStep): void => {
      if (signal.aborted || recorder.ended) return;
      raw += step.text;
      reason = step.finishReason ?? reason;
      const { promptTokens, cachedTokens, completionTokens } = step;
      const taken = recorder.take(step.text, completionTokens, step.logprobs.map(toLogprob(request)));
      usage = { promptTokens, cachedTokens, ...recorder.usage() };
      if (taken.events.length > 0) steps.push({ type: "reply", ...taken, usage });
      // Before the next token is computed: the library asks the signal between two of them.
      if (recorder.ended) stop.abort();
    };
    const ended = AbortSignal.any([signal, stop.signal]);
    this.#instance
      .complete(completionRequest(prompt, request, this.facts.contextWindow), onStep, ended)
      .then(() => {
        const last = recorder.finish();
        if (last.events.length > 0 && !signal.aborted) steps.push({ type: "reply", ...last, usage });
        const whole = reason === "stop" && !recorder.ended && !signal.aborted;
        const why = signal.aborted ? "abort" : recorder.ended ? "stop" : reason;
        steps.push({ type: "finish", reason: why, usage, ...(whole ? { raw } : {}) });
        steps.end();
      })
      .catch(async (error) => {
        await this.#instance.exit();
        steps.end(error);
      });
    yield* steps;
  }

  /**
   * llama.cpp takes text only. Tokens are handed over as their text where that is read as these very tokens.
   *
   * @throws {EngineError} `invalid_request` where it is not
   */
  #asText(prompt: string | readonly number[]): string {
    if (typeof prompt === "string") return prompt;
    const tokens = this.#withoutBos(prompt);
    const text = this.#tokenizer.decode(tokens);
    const read = this.#tokenizer.encode(text);
    if (read.length === tokens.length && read.every((token, at) => token === tokens[at])) return text;
    throw new EngineError(
      "invalid_request",
      "Invalid 'prompt': this engine reads the text of these tokens as other tokens. Send the prompt as text.",
      { param: "prompt" },
    );
  }

  /** llama.cpp puts the token that begins a text there by itself. */
  #withoutBos(tokens: readonly number[]): readonly number[] {
    const { addsBos, bosToken } = this.#instance;
    return addsBos && tokens[0] === bosToken ? tokens.slice(1) : tokens;
  }
}

/** The chosen token is always reported; of the others as many as were asked for. */
function toLogprob({ topLogprobs = 0 }: GenerateRequest): (token: ReportedToken) => TokenLogprob {
  const describe = ({ token, bytes, logprob }: ReportedToken) => ({
    token: token === "" && bytes.length > 0 ? tokenText(Uint8Array.from(bytes)) : token,
    bytes,
    logprob: finiteLogprob(logprob),
  });
  return (token) => ({
    ...describe(token),
    top: (token.top_logprobs ?? []).slice(0, topLogprobs).map(describe),
  });
}
