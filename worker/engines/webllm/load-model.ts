import { MLCEngine } from "@mlc-ai/web-llm";
import type { ChatModelInfo } from "../../engine-api/chat-engine.ts";
import { adapterName, requireWebGPU, webllmLimits } from "../../engine-api/gpu.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import type { ModelFiles } from "../../engine-api/model-files.ts";
import { readSamplingDefaults } from "../chat/read-sampling-defaults.ts";
import { longestToken } from "../chat/text-bytes.ts";
import type { TokenForm } from "../chat/token-bytes.ts";
import { requireWebAssembly } from "../scheduling/with-assets.ts";
import { DOWNLOAD_SHARE, type PlacedModel, placeModelFiles } from "./load/model-files.ts";
import { conversationTemplate, prefixTokens, rawConversation } from "./single/raw-conversation.ts";
import { readTemplate } from "./template.ts";
import { PromptTokens } from "./text/prompt-tokens.ts";
import { tokenFormOf } from "./text/token-form.ts";
import { type Pipeline, pipelineOf } from "./tvm/pipeline.ts";

/** Names and versions, set by the build (`scripts/build.ts`, `define`). */
declare const __ENGINE_BUILD__: string;

/** web-llm's id for this worker's single model. */
const MODEL_ID = "model";

/** A model that an unmodified MLCEngine has loaded. */
export interface LoadedModel {
  engine: MLCEngine;
  pipeline: Pipeline;
  /** `mlc-chat-config.json` */
  config: Readonly<Record<string, unknown>>;
  /** Tokens that the model prepends to every prompt. */
  prefix: readonly number[];
  prompts: PromptTokens;
  tokenForm: TokenForm;
  info: ChatModelInfo;
}

/** Downloads, checks and loads a model. @throws {EngineError} or web-llm's own error */
export async function loadModel(
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadedModel> {
  requireWebAssembly(new URL(files.library, files.sourceURL).href);
  const adapter = await requireWebGPU({ features: files.features, limits: webllmLimits(files.bufferBytes) });
  const build = { name: __ENGINE_BUILD__, limits: adapter.limits };
  const placed = await placeModelFiles(build, files, onProgress);
  const bytes = placed.downloadBytes;
  const reportCompile = (progress: number): void =>
    onProgress({
      memoryBytes: placed.context.memoryBytes,
      phase: "compile",
      loadedBytes: bytes,
      totalBytes: bytes,
      fraction: DOWNLOAD_SHARE + (1 - DOWNLOAD_SHARE) * progress,
    });
  const engine = new MLCEngine({
    appConfig: {
      model_list: [{ model_id: MODEL_ID, model: placed.modelURL, model_lib: placed.libraryURL }],
    },
    logLevel: "SILENT",
    initProgressCallback: ({ progress }) => reportCompile(progress),
  });
  // web-llm reports nothing before it has a GPU device, which a hung GPU process never gives.
  reportCompile(0);
  await engine.reload(MODEL_ID, {
    ...rawConversation(placed.config),
    ...files.overrides,
    context_window_size: placed.context.contextWindow,
    sliding_window_size: -1,
  });
  return describe(engine, placed, `webgpu: ${adapterName(adapter)}`);
}

function describe(
  engine: MLCEngine,
  {
    config,
    tokenizerConfig,
    generationConfig,
    specialTokens,
    fingerprint,
    downloadBytes,
    context,
  }: PlacedModel,
  device: string,
): LoadedModel {
  const pipeline = pipelineOf(engine, MODEL_ID);
  const prefix = prefixTokens(config);
  const tokenForm = tokenFormOf(config);
  const { template, fault } = readTemplate(tokenizerConfig, prefix.length > 0);
  const recommendedSampling = readSamplingDefaults({ ...config, ...generationConfig });
  const info: ChatModelInfo = {
    engine: "webllm",
    fingerprint,
    contextWindow: pipeline.contextWindowSize,
    maxContextWindow: context.maxContextWindow,
    vocabularySize: pipeline.fullVocabSize,
    longestTokenBytes: longestToken(tokensOf(pipeline), tokenForm),
    ...(template ? { template } : { conversation: conversationTemplate(config) }),
    ...(recommendedSampling ? { recommendedSampling } : {}),
    notes: [...context.notes, ...(fault ? [fault] : [])],
    specialTokens,
    device,
    downloadBytes,
  };
  const prompts = new PromptTokens(pipeline.tokenizer);
  return { engine, pipeline, config, prefix, prompts, tokenForm, info };
}

/** All tokens of the vocabulary; padding at its end yields empty strings. */
function* tokensOf({ tokenizer, fullVocabSize }: Pipeline): Generator<string, void> {
  for (let id = 0; id < fullVocabSize; id++) yield tokenizer.idToToken(id) ?? "";
}
