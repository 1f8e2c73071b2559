/** The models that this page's key may use, as `GET /v1/models` lists them. */

import { computed } from "@preact/signals";
import type OpenAI from "openai";
import { Resource } from "./loadable.ts";
import { openai } from "./runtime.ts";

/** What the list says beyond OpenAI's fields. Each may be missing. */
export interface ModelFacts {
  kind?: "chat" | "embedding";
  engine?: string | null;
  device?: string | null;
  context_window?: number | null;
  abilities?: { tools?: boolean; vision?: boolean; reasoning?: boolean; json?: boolean };
}

export interface Model extends OpenAI.Model {
  infetch?: ModelFacts;
}

export const models = new Resource(async (): Promise<Model[]> => {
  const client = await openai();
  return (await client.models.list()).data;
});

export function isEmbedding({ infetch }: Model): boolean {
  return infetch?.kind === "embedding" || infetch?.engine === "transformers";
}

export const chatModels = computed(() => (models.value ?? []).filter((model) => !isEmbedding(model)));
export const embeddingModels = computed(() => (models.value ?? []).filter(isEmbedding));
