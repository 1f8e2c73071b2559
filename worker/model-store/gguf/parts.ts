/** File names of split models, in the format of `llama-gguf-split`. */

import { EngineError } from "../../engines/api/engine-error.ts";
import type { ModelFile } from "../../engines/api/types.ts";

const SPLIT = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;
/** Far more than any published model has. */
const MAX_PARTS = 1_000;

/**
 * Expands the first part of a split model to all its parts; returns other lists unchanged.
 *
 * @throws {EngineError} `model_load_failed` if the name states more than a thousand parts
 */
export function allParts(parts: readonly ModelFile[]): readonly ModelFile[] {
  const [, stem, first, last] = SPLIT.exec(parts[0]?.name ?? "") ?? [];
  if (parts.length !== 1 || Number(first) !== 1 || Number(last ?? 0) === 0) return parts;
  if (Number(last) > MAX_PARTS) {
    throw new EngineError(
      "model_load_failed",
      `'${parts[0]!.name}' says that it is one of ${Number(last)} parts. A model has at most ${MAX_PARTS}.`,
    );
  }
  const number = (part: number): string => String(part).padStart(5, "0");
  return Array.from({ length: Number(last) }, (_, at) =>
    at === 0 ? parts[0]! : { name: `${stem}-${number(at + 1)}-of-${last}.gguf`, bytes: 0 },
  );
}
