import type { ChatModelInfo, EngineStep, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import type { GgufFiles } from "../../engine-api/model-files.ts";
import { splitAtImages } from "../../engine-api/prompt-image.ts";
import { type GgufValues, readMetadata } from "../../model-store/gguf/metadata.ts";
import { requireChatModel } from "../../model-store/gguf/model-kind.ts";
import { requireAllParts } from "../../model-store/gguf/parts.ts";
import { RecentPrompts } from "../chat/recent-prompts.ts";
import { EventQueue } from "../scheduling/event-queue.ts";
import { completionRequest } from "./completion-request.ts";
import { ASSETS_URL, llamaBuild, wasmDevice } from "./llama-build.ts";
import { LlamaInstance } from "./llama-instance.ts";
import { LlamaReply } from "./llama-reply.ts";
import { mediaPrompt, refuseMedia, requireWindow, withBreaks } from "./media-prompt.ts";
import { type MemoryPlan, planMemory } from "./memory/plan-memory.ts";
import { DOWNLOAD_SHARE, fetchGguf } from "./model-files.ts";
import { type ConversationSize, PromptCacheTracker } from "./prompt-cache-tracker.ts";
import { scorePrompt } from "./prompt-scores.ts";
import { recommendedSampling } from "./recommended-sampling.ts";
import { readTemplate } from "./template.ts";
import { controlTokens, GgufTokenizer } from "./tokenizer/gguf-tokenizer.ts";

interface LoadedGguf {
  instance: LlamaInstance;
  reload: () => Promise<LlamaInstance>;
  tokenizer: GgufTokenizer;
  info: ChatModelInfo;
  size: ConversationSize;
}

/** One model in llama.cpp. Callers must run one request at a time. */
export class LlamaCppEngine {
  #instance: LlamaInstance;
  #promptCache: PromptCacheTracker;
  readonly #reload: () => Promise<LlamaInstance>;
  readonly #size: ConversationSize;
  readonly #tokenizer: GgufTokenizer;
  readonly #prompts: RecentPrompts;
  readonly info: ChatModelInfo;

  private constructor({ instance, reload, tokenizer, info, size }: LoadedGguf) {
    this.#instance = instance;
    this.#reload = reload;
    this.#tokenizer = tokenizer;
    this.#prompts = new RecentPrompts(
      (text) => tokenizer.split(text),
      (part) => tokenizer.encode(part),
    );
    this.info = info;
    this.#size = size;
    this.#promptCache = new PromptCacheTracker(size);
  }

  /** @throws {EngineError} */
  static async load(files: GgufFiles, onProgress: (progress: LoadProgress) => void): Promise<LlamaCppEngine> {
    const { gpu } = files;
    const build = llamaBuild(gpu);
    const { parts, projector, fingerprint, downloadBytes } = await fetchGguf(build, files, onProgress);
    const metadata = await readMetadata(parts[0]!);
    requireChatModel(metadata);
    requireAllParts(metadata, parts.length);
    const tokenizer = new GgufTokenizer(metadata);
    const all = projector ? [...parts, projector.file] : parts;
    const plan = planMemory(metadata, all, files, projector?.encoder.bytes);
    const loaded = { loadedBytes: downloadBytes, totalBytes: downloadBytes };
    const { memoryBytes, neededBytes } = plan;
    onProgress({ phase: "compile", ...loaded, fraction: DOWNLOAD_SHARE, memoryBytes, neededBytes });
    const load = () =>
      LlamaInstance.load(parts, {
        assetsURL: ASSETS_URL,
        ...plan,
        onGPU: gpu !== undefined,
        projector: projector?.file,
        maxImageTokens: projector?.encoder.maxImageTokens,
      });
    const instance = await load().catch((error) => {
      throw tokenizer.explain(error);
    });
    const described = infoOf(metadata, tokenizer, plan, instance);
    const device = gpu ? `webgpu: ${gpu.name}` : wasmDevice(plan);
    const info = { ...described, device, fingerprint, downloadBytes };
    return new LlamaCppEngine({ instance, reload: load, tokenizer, info, size: plan });
  }

  get passes(): number {
    return this.#instance.passes;
  }

  countTokens(prompt: string | readonly number[], scope?: string): number {
    const tokens = typeof prompt === "string" ? this.#tokensOf(prompt, scope) : this.#withoutBos(prompt);
    return this.#withBos(tokens.length);
  }

  #withBos(count: number): number {
    return count + (this.#instance.addsBos ? 1 : 0);
  }

  /** With one number, which is no token, for each image. */
  #tokensOf(prompt: string, scope?: string): number[] {
    const { texts, ids } = splitAtImages(prompt);
    return texts.flatMap((text, at) => [
      ...(at > 0 ? [-Number.parseInt(ids[at - 1]!.slice(0, 13), 16) - 1] : []),
      ...this.#encode(text, scope),
    ]);
  }

  #encode(prompt: string, scope?: string): readonly number[] {
    return this.#prompts.encode(withBreaks(prompt), scope);
  }

  decode(tokens: readonly number[]): string {
    return this.#tokenizer.decode(tokens);
  }

  /** @throws {EngineError} or llama.cpp's own error */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const prompt = this.#asText(request.prompt);
    const tokens = this.#tokensOf(prompt, request.cacheScope);
    const steps = new EventQueue<EngineStep>();
    // What is cached is then of the request itself.
    const isScored = request.promptLogprobs !== undefined;
    const reply = new LlamaReply(request, {
      promptTokens: this.#withBos(tokens.length),
      contextWindow: this.info.contextWindow,
      signal,
      emit: (step) => steps.push(isScored ? { ...step, usage: { ...step.usage, cachedTokens: 0 } } : step),
    });
    this.#run(prompt, tokens, request, reply).then(
      () => steps.end(),
      (error) => steps.end(error),
    );
    yield* steps;
  }

  /** Runs a reply to its end. */
  async #run(
    prompt: string,
    tokens: readonly number[],
    request: GenerateRequest,
    reply: LlamaReply,
  ): Promise<void> {
    await this.#makeRoom();
    if (request.promptLogprobs !== undefined) {
      await this.#score(tokens, request, reply);
      if (reply.ended.aborted || request.sampling.maxTokens === 0) return reply.finish();
    }
    const { mediaMarker: marker } = this.#instance;
    const media = marker === undefined ? undefined : mediaPrompt(prompt, request.images ?? [], marker);
    const { cacheScope } = request;
    const mayReuse = this.#promptCache.mayReuse(cacheScope, tokens);
    this.#promptCache.begin(cacheScope, tokens);
    const text = media?.prompt ?? withBreaks(prompt);
    const completion = completionRequest(text, request, this.info, { mayReuse });
    const files = media?.files ?? [];
    try {
      await this.#instance.complete(completion, files, (step) => reply.take(step), reply.ended);
    } catch (error) {
      if (files.length > 0) refuseMedia(error, this.info.contextWindow);
      await this.#instance.exit();
      throw error;
    }
    this.#promptCache.note(reply.usage, cacheScope, tokens);
    if (files.length > 0) requireWindow(reply.usage.promptTokens, this.info.contextWindow);
    reply.finish();
  }

  /** Reports the log probabilities of a prompt. Ends the engine where llama.cpp fails. */
  async #score(own: readonly number[], request: GenerateRequest, reply: LlamaReply): Promise<void> {
    const { cacheScope, promptLogprobs: top = 0, prompt } = request;
    const { addsBos, bosToken } = this.#instance;
    const tokens = addsBos ? [bosToken, ...own] : own;
    this.#promptCache.begin(cacheScope, own);
    const scored = await scorePrompt(this.#instance, this.#tokenizer, { tokens, top }, reply.ended).catch(
      async (error: unknown) => {
        if (!(error instanceof EngineError)) await this.#instance.exit();
        throw error;
      },
    );
    const usage = { promptTokens: scored.length, cachedTokens: 0, completionTokens: 1 };
    this.#promptCache.note(usage, cacheScope, own.slice(0, scored.length - 1));
    if (reply.ended.aborted) return;
    // Clients know the tokens that they sent.
    const known = typeof prompt === "string" ? tokens.length : prompt.length;
    reply.report(scored.slice(tokens.length - known));
  }

  async #makeRoom(): Promise<void> {
    if (!this.#promptCache.isFull) return;
    await this.#instance.exit();
    this.#instance = await this.#reload();
    this.#promptCache = new PromptCacheTracker(this.#size);
  }

  /**
   * llama.cpp accepts text only, so tokens are decoded, provided that the text encodes to the same tokens.
   *
   * @throws {EngineError} `invalid_request` if it does not
   */
  #asText(prompt: string | readonly number[]): string {
    if (typeof prompt === "string") return prompt;
    const tokens = this.#withoutBos(prompt);
    const text = this.#tokenizer.decode(tokens);
    const read = this.#tokenizer.encode(text);
    if (read.length === tokens.length && read.every((token, at) => token === tokens[at])) return text;
    throw new EngineError(
      "invalid_request",
      "Invalid 'prompt': this engine tokenizes the text of these tokens differently. Send the prompt as text.",
      { param: "prompt" },
    );
  }

  /** llama.cpp adds the BOS token itself. */
  #withoutBos(tokens: readonly number[]): readonly number[] {
    const { addsBos, bosToken } = this.#instance;
    return addsBos && tokens[0] === bosToken ? tokens.slice(1) : tokens;
  }
}

/** What the file and its plan say about the loaded model. */
function infoOf(
  metadata: GgufValues,
  tokenizer: GgufTokenizer,
  { contextWindow, maxContextWindow, notes }: MemoryPlan,
  { mediaMarker, addsBos }: LlamaInstance,
): Omit<ChatModelInfo, "device" | "fingerprint" | "downloadBytes"> {
  const sampling = recommendedSampling(metadata);
  return {
    engine: "llamacpp",
    contextWindow,
    maxContextWindow,
    vocabularySize: tokenizer.vocabularySize,
    longestTokenBytes: tokenizer.longestTokenBytes,
    vision: mediaMarker !== undefined,
    // Needs llama.cpp's own tokens.
    scoresPrompts: tokenizer.unknownPreTokenizer === undefined,
    template: readTemplate(metadata, addsBos),
    specialTokens: controlTokens(metadata),
    notes: [...notes, ...tokenizer.notes],
    ...(sampling ? { recommendedSampling: sampling } : {}),
  };
}
