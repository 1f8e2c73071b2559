/** What the bench uses of `@browser-ai`: its own types declare `navigator.gpu` unknown for everybody. */

import type { MLCEngineConfig } from "@mlc-ai/web-llm";
import type { EmbeddingModel, LanguageModel } from "ai";

/** Of `@browser-ai/web-llm`. */
export declare function webLLM(
  modelId: string,
  settings: { worker: Worker; engineConfig: MLCEngineConfig },
): LanguageModel;

/** Of `@browser-ai/transformers-js`. */
export declare const TransformersJSEmbeddingModel: new (
  modelId: string,
  settings: { device: "wasm"; dtype: "fp32" },
) => Exclude<EmbeddingModel, string>;
