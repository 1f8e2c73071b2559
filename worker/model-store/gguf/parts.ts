/** File names of split models, in the format of `llama-gguf-split`. */

import { EngineError } from "../../engine-api/engine-error.ts";
import type { ModelFile } from "../../engine-api/model-files.ts";
import type { GgufValues } from "./metadata.ts";

const SPLIT = /^(.*)-(\d{5})-of-(\d{5})(\.gguf)$/is;
/** Far more than any published model has. */
const MAX_PARTS = 1_000;

/** Read from the name of one part of a split model. */
interface SplitName {
  /** Number of this part, from 1. */
  part: number;
  /** Number of all parts. */
  count: number;
  /** Name of another part. */
  nameOf(part: number): string;
}

/** @returns undefined for any other name */
export function splitName(name: string): SplitName | undefined {
  const [, stem, part, count, ending] = SPLIT.exec(name) ?? [];
  if (stem === undefined || Number(count) === 0) return undefined;
  const nameOf = (one: number): string => `${stem}-${String(one).padStart(5, "0")}-of-${count}${ending}`;
  return { part: Number(part), count: Number(count), nameOf };
}

/**
 * Expands the first part of a split model to all its parts; returns other lists unchanged.
 *
 * @throws {EngineError} `model_load_failed` if the name states more than a thousand parts, or is that of a later part
 */
export function allParts(parts: readonly ModelFile[]): readonly ModelFile[] {
  const [first, ...others] = parts;
  const split = others.length === 0 && first ? splitName(first.name) : undefined;
  if (!split) return parts;
  const { part, count, nameOf } = split;
  if (count > MAX_PARTS) {
    throw new EngineError(
      "model_load_failed",
      `'${first!.name}' says that it is one of ${count} parts. A model has at most ${MAX_PARTS}.`,
    );
  }
  if (part !== 1) {
    throw new EngineError(
      "model_load_failed",
      `'${first!.name}' is part ${part} of ${count} of a model. Name the first part, '${nameOf(1)}'.`,
    );
  }
  return Array.from({ length: count }, (_, at) => (at === 0 ? first! : { name: nameOf(at + 1), bytes: 0 }));
}

/**
 * @param metadata of the first file
 * @param files of the model, without a projector
 * @throws {EngineError} `model_load_failed` for two models in one folder, or for some of the parts of one
 */
export function requireAllParts(metadata: GgufValues, files: number): void {
  const count = Math.max(1, Number(metadata.get("split.count") ?? 1));
  if (count === files) return;
  const what = count === 1 ? "is a whole model" : `is one of ${count} parts of a model`;
  throw new EngineError(
    "model_load_failed",
    `The model has ${files} GGUF ${files === 1 ? "file, which" : "files, and the first of them"} ${what}. Name one model, with all of its parts; a folder has the files of one model.`,
  );
}
