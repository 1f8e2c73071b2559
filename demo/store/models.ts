/** Models available to this page's key, from `GET /v1/models`. */

import { computed } from "@preact/signals";
import type OpenAI from "openai";
import { Resource } from "./loadable.ts";
import { openai } from "./runtime.ts";

/** Fields beyond OpenAI's. All are optional; own models declare what they like. */
interface ModelInfo {
  /** Current or preferred engine. */
  engine?: string | null;
  /** Supported engines. */
  engines?: string[];
  /** Device while loaded; present only when fetching a single model. */
  device?: string | null;
  tier?: string;
  deployment_of?: string | null;
  base_model?: string | null;
  context_window?: number | null;
  download_bytes?: number | null;
  memory_bytes?: number | null;
  licence?: string | null;
  /** Only of embedding models; null if unknown before they are loaded. */
  pooling?: string | null;
  /** Required WebGPU features. */
  features?: string[];
  /** Null where only the loaded model tells. */
  abilities?: { tools?: boolean | null; json?: boolean; reasoning?: boolean | null; vision?: boolean };
}

export interface Model extends OpenAI.Model {
  infetch?: ModelInfo;
}

export const models = new Resource(async (): Promise<Model[]> => {
  const client = await openai();
  return (await client.models.list()).data;
});

export function isEmbedding({ infetch }: Model): boolean {
  return infetch?.pooling !== undefined;
}

export const chatModels = computed(() => (models.value ?? []).filter((model) => !isEmbedding(model)));
export const embeddingModels = computed(() => (models.value ?? []).filter(isEmbedding));

/** Whether a chat model takes images, as far as is known before it is loaded. */
export function takesImages(id: string): boolean {
  return chatModels.value.find((model) => model.id === id)?.infetch?.abilities?.vision === true;
}
