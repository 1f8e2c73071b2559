/** Whether a GGUF file of the hub is a chat or an embedding model: only its metadata tells, which its load reads. */

import { EngineError } from "../engine-api/engine-error.ts";
import type { GgufFiles } from "../engine-api/model-files.ts";
import { knownRules } from "./embeddings/known-embeddings.ts";
import type { CatalogRecord } from "./model-record.ts";

type Kind = CatalogRecord["kind"];

export class GgufKinds {
  readonly #kinds = new Map<string, Kind>();

  /** Undefined until a load has shown it. */
  of(files: GgufFiles): Kind | undefined {
    return this.#kinds.get(keyOf(files));
  }

  /** Learns from a load as one kind. @throws as it does */
  async learn<T>(files: GgufFiles | undefined, kind: Kind, load: Promise<T>): Promise<T> {
    try {
      const loaded = await load;
      if (files) this.#kinds.set(keyOf(files), kind);
      return loaded;
    } catch (error) {
      if (files && isOfOtherKind(error))
        this.#kinds.set(keyOf(files), kind === "chat" ? "embedding" : "chat");
      throw error;
    }
  }
}

function keyOf({ cacheURL, parts }: GgufFiles): string {
  return cacheURL + (parts[0]?.name ?? "");
}

/** Whether a load failed because the file is a model of the other kind. */
export function isOfOtherKind(error: unknown): boolean {
  return error instanceof EngineError && ["model_not_found", "model_not_allowed"].includes(error.code);
}

/** Whether names suggest an embedding model; that of the organization (EmbeddedLLM) does not. */
export function namesEmbedding(repository: string, file = ""): boolean {
  return /\/.*embed/i.test(`${repository}/${file}`) || knownRules(repository, file) !== undefined;
}
