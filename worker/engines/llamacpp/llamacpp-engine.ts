import { EngineError } from "../engine-error.ts";
import { EventQueue } from "../event-queue.ts";
import { readMetadata } from "../gguf/metadata.ts";
import { requireChatModel } from "../gguf/require-chat-model.ts";
import type { ChatModelFacts, EngineStep, GenerateRequest, GgufFiles, LoadProgress } from "../types.ts";
import { completionRequest } from "./completion-request.ts";
import { readConversation } from "./conversation.ts";
import { GgufTokenizer } from "./gguf-tokenizer.ts";
import { isLostStep, LlamaInstance, needsCompat } from "./llama-instance.ts";
import { LlamaReply } from "./llama-reply.ts";
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
    requireChatModel(metadata);
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
    const steps = new EventQueue<EngineStep>();
    const reply = new LlamaReply(request, this.countTokens(request.prompt), signal, (step) =>
      steps.push(step),
    );
    this.#run(prompt, request, reply).then(
      () => steps.end(),
      (error) => steps.end(error),
    );
    yield* steps;
  }

  /**
   * Runs a reply to its end. wllama loses a step whose text or log probabilities hold bytes that are no UTF-8: then the
   * same reply runs again, with the same seed, kept to valid text and without log probabilities.
   */
  async #run(prompt: string, request: GenerateRequest, reply: LlamaReply): Promise<void> {
    const seeded = {
      ...request,
      sampling: { ...request.sampling, seed: request.sampling.seed ?? randomSeed() },
    };
    for (const careful of [false, true]) {
      const completion = completionRequest(prompt, seeded, this.facts.contextWindow, careful);
      reply.begin();
      try {
        await this.#instance.complete(completion, (step) => reply.take(step), reply.ended);
        return reply.finish();
      } catch (error) {
        if (!careful && isLostStep(error) && !reply.ended.aborted) continue;
        await this.#instance.exit();
        throw error;
      }
    }
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

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
