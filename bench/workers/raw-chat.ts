/**
 * Bare web-llm in its own worker, as the engine's baseline. infetch's code places the files, so that both run the
 * same bytes.
 */

import { MLCEngine } from "@mlc-ai/web-llm";
import { expose } from "comlink";
import { builtInModels } from "../../worker/catalog/built-in.ts";
import { placeModelFiles } from "../../worker/engines/webllm/load/model-files.ts";

interface RawRequest {
  prompt: string;
  maxTokens: number;
}

/** web-llm's model record for the placed files. */
export interface PlacedRecord {
  model_id: string;
  model: string;
  model_lib: string;
}

/** Its context is the built-in model's, on any adapter. */
const RAW = { name: "raw", limits: { maxStorageBufferBindingSize: 2 ** 27 } };

let engine: MLCEngine | undefined;

const rawChat = {
  /** Stores the built-in chat model's files where web-llm looks for them. */
  async place(modelsURL: string): Promise<PlacedRecord> {
    const files = builtInModels(modelsURL)[0]?.builds.webllm;
    if (!files) throw new Error("The package has no built-in chat model.");
    const { modelURL, libraryURL } = await placeModelFiles(RAW, files, () => {});
    return { model_id: "raw", model: modelURL, model_lib: libraryURL };
  },

  async load(record: PlacedRecord): Promise<void> {
    engine = new MLCEngine({ appConfig: { model_list: [record] }, logLevel: "SILENT" });
    await engine.reload(record.model_id);
  },

  /** Resolves at the first token of a reply. */
  async firstToken({ prompt, maxTokens }: RawRequest): Promise<void> {
    const chunks = await engine!.chat.completions.create({
      messages: [{ role: "user", content: prompt }],
      stream: true,
      max_tokens: maxTokens,
    });
    for await (const chunk of chunks) if (chunk.choices[0]?.delta.content) return;
  },

  /** Tokens per second between the first and last token of a reply, measured in this worker. */
  async decode({ prompt, maxTokens }: RawRequest): Promise<number> {
    const chunks = await engine!.chat.completions.create({
      messages: [{ role: "user", content: prompt }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: maxTokens,
    });
    let firstAtMs = 0;
    let lastAtMs = 0;
    let tokens = 0;
    for await (const chunk of chunks) {
      tokens = chunk.usage?.completion_tokens ?? tokens;
      if (!chunk.choices[0]?.delta.content) continue;
      lastAtMs = performance.now();
      firstAtMs ||= lastAtMs;
    }
    return ((tokens - 1) / (lastAtMs - firstAtMs)) * 1000;
  },
};

export type RawChat = typeof rawChat;

expose(rawChat);
