/** The models that this page's key may use, as `GET /v1/models` lists them. */

import { computed } from "@preact/signals";
import type OpenAI from "openai";
import { Resource } from "./loadable.ts";
import { openai } from "./runtime.ts";

/** What the list says beyond OpenAI's fields. Each may be missing: own models say as much as they like. */
export interface ModelFacts {
  /** The one that runs it, or is meant to. */
  engine?: string | null;
  /** Those that could. */
  engines?: string[];
  /** Where it runs, while it is in memory; only a request for this one model tells. */
  device?: string | null;
  tier?: string;
  deployment_of?: string | null;
  base_model?: string | null;
  context_window?: number | null;
  download_bytes?: number | null;
  memory_bytes?: number | null;
  licence?: string | null;
  /** Of WebGPU, without which it cannot run. */
  features?: string[];
  abilities?: { tools?: boolean; json?: boolean; reasoning?: boolean; vision?: boolean };
}

export interface Model extends OpenAI.Model {
  infetch?: ModelFacts;
}

export const models = new Resource(async (): Promise<Model[]> => {
  const client = await openai();
  return (await client.models.list()).data;
});

export function isEmbedding({ infetch }: Model): boolean {
  return infetch?.engine === "transformers";
}

export const chatModels = computed(() => (models.value ?? []).filter((model) => !isEmbedding(model)));
export const embeddingModels = computed(() => (models.value ?? []).filter(isEmbedding));
