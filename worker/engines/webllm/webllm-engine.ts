import { type ChatCompletionChunk, MLCEngine } from "@mlc-ai/web-llm";
import { StopReader } from "../../generation/readers/stop-reader.ts";
import { EngineError } from "../engine-error.ts";
import type {
  ChatModelFacts,
  EngineStep,
  EngineUsage,
  GenerateRequest,
  LoadProgress,
  ModelFiles,
} from "../types.ts";
import { requireWebGPU } from "./gpu.ts";
import { type Pipeline, pipelineOf } from "./internals.ts";
import { KvMirror, type PromptPlan } from "./kv-mirror.ts";
import { DOWNLOAD_SHARE, placeModelFiles } from "./model-files.ts";
import { conversationTemplate, prefixTokens, rawConversation } from "./raw-conversation.ts";

const NOTHING_USED: EngineUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };

/** The name under which the one model of this worker is known to web-llm. */
const MODEL_ID = "model";

/** One unmodified MLCEngine with one model. Its caller hands it one request at a time. */
export class WebllmEngine {
  readonly #engine: MLCEngine;
  readonly #pipeline: Pipeline;
  readonly #mirror = new KvMirror();
  readonly #prefix: number;
  readonly facts: ChatModelFacts;

  private constructor(engine: MLCEngine, config: Record<string, unknown>, device: string) {
    this.#engine = engine;
    this.#pipeline = pipelineOf(engine, MODEL_ID);
    this.#prefix = prefixTokens(config).length;
    this.facts = {
      contextWindow: this.#pipeline.contextWindowSize,
      conversation: conversationTemplate(config),
      device,
    };
  }

  /** @throws {EngineError} */
  static async load(files: ModelFiles, onProgress: (progress: LoadProgress) => void): Promise<WebllmEngine> {
    const device = await requireWebGPU();
    const placed = await placeModelFiles(files, onProgress);
    let bytes = 0;
    const engine = new MLCEngine({
      appConfig: {
        model_list: [{ model_id: MODEL_ID, model: placed.modelURL, model_lib: placed.libraryURL }],
      },
      logLevel: "SILENT",
      initProgressCallback: ({ progress }) =>
        onProgress({
          phase: "compile",
          loadedBytes: bytes,
          totalBytes: bytes,
          fraction: DOWNLOAD_SHARE + (1 - DOWNLOAD_SHARE) * progress,
        }),
    });
    bytes = files.known.reduce((sum, file) => sum + file.bytes, 0);
    await engine.reload(MODEL_ID, rawConversation(placed.config));
    return new WebllmEngine(engine, placed.config, device);
  }

  countTokens(prompt: string): number {
    return this.#encode(prompt).length + this.#prefix;
  }

  /** @throws {EngineError} or whatever web-llm throws */
  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    if (signal.aborted) return yield { type: "finish", reason: "abort", usage: NOTHING_USED };
    const plan = this.#mirror.plan(request.prompt, (text) => this.#encode(text), this.#prefix);
    if (plan.promptTokens >= this.facts.contextWindow) {
      throw new EngineError("context_length_exceeded", `The prompt has ${plan.promptTokens} tokens.`);
    }
    if (plan.reset) await this.#engine.resetChat();
    const reader = new StopReader(request.stop);
    const chunks = (await this.#start(plan, request))[Symbol.asyncIterator]();
    const abort = (): void => void this.#engine.interruptGenerate();
    signal.addEventListener("abort", abort, { once: true });
    let reason = "abort";
    try {
      while (true) {
        // The prefill resets web-llm's flag: an abort that came before it is raised again after each step.
        if (signal.aborted || reader.stopped) abort();
        const { done, value } = await chunks.next();
        if (done) break;
        const choice = value.choices[0];
        reason = choice?.finish_reason ?? reason;
        const text = reader.push(choice?.delta.content ?? "");
        if (text !== "" && !signal.aborted) yield { type: "text", text, usage: this.#usage(plan) };
      }
    } finally {
      signal.removeEventListener("abort", abort);
      // The guard against an abandoned iterator, which would block the model for ever (engines.md A4).
      await chunks.return?.(undefined);
    }
    if (!reader.stopped) this.#remember(reason);
    const rest = reader.flush();
    if (rest !== "" && !signal.aborted) yield { type: "text", text: rest, usage: this.#usage(plan) };
    yield { type: "finish", reason: finishReason(reason, reader.stopped), usage: this.#usage(plan) };
  }

  async #start(plan: PromptPlan, { sampling }: GenerateRequest): Promise<AsyncIterable<ChatCompletionChunk>> {
    const messages = plan.pieces.map((content, at) =>
      at % 2 === 0 ? { role: "user" as const, content } : { role: "assistant" as const, content },
    );
    return this.#engine.chat.completions.create({
      messages,
      stream: true,
      stream_options: { include_usage: true },
      temperature: sampling.temperature,
      top_p: sampling.topP,
      frequency_penalty: sampling.frequencyPenalty,
      presence_penalty: sampling.presencePenalty,
      repetition_penalty: sampling.repetitionPenalty,
      ...(sampling.maxTokens === undefined ? {} : { max_tokens: sampling.maxTokens }),
      ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    });
  }

  /** After the model's own end token, and only then, prompt and reply are in the cache as they stand. */
  #remember(reason: string): void {
    const { outputIds, tokenizer } = this.#pipeline;
    const reply = this.#pipeline.getMessage();
    // A stop string of the template cuts the text, not the cache.
    const uncut = tokenizer.decode(Int32Array.from(outputIds)) === reply;
    if (reason === "stop" && uncut) this.#mirror.keep(reply, outputIds);
  }

  #usage(plan: PromptPlan): EngineUsage {
    return {
      promptTokens: plan.promptTokens,
      cachedTokens: plan.cachedTokens,
      completionTokens: this.#pipeline.getCurRoundCompletionTotalTokens(),
    };
  }

  #encode(text: string): Int32Array {
    return this.#pipeline.tokenizer.encode(text);
  }
}

function finishReason(reason: string, stopped: boolean): "stop" | "length" | "abort" {
  if (stopped) return "stop";
  return reason === "stop" || reason === "length" ? reason : "abort";
}
