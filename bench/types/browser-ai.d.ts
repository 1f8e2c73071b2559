/** What the bench uses of `@browser-ai/web-llm`: its own types declare `navigator.gpu` unknown for everybody. */

import type { MLCEngineConfig } from "@mlc-ai/web-llm";
import type { LanguageModel } from "ai";

export declare function webLLM(
  modelId: string,
  settings: { worker: Worker; engineConfig: MLCEngineConfig },
): LanguageModel;
