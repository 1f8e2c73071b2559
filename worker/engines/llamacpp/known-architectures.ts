/** Which model architectures this build of llama.cpp has. */

import { EngineError } from "../../engine-api/engine-error.ts";
import type { GgufValues } from "../../model-store/gguf/metadata.ts";

/** Whether llama.cpp has an architecture, as `general.architecture` names it. */
export type KnowsArchitecture = (name: string) => Promise<boolean>;

/** A build that takes longer is left to its own load, which reports its progress. */
const READ_MS = 60_000;

/** @param wasmURL of the build; if it cannot be read, loading it reports the error */
export function knownToBuild(wasmURL: string): KnowsArchitecture {
  return async (name) => {
    try {
      const response = await fetch(wasmURL, { signal: AbortSignal.timeout(READ_MS) });
      return !response.ok || isNamedIn(new Uint8Array(await response.arrayBuffer()), name);
    } catch {
      return true;
    }
  };
}

/**
 * Whether the binary has the name as a C string, which may be the end of a longer one. It lists all architectures as
 * such, so one that is not found cannot be loaded, and no list has to follow llama.cpp's.
 */
export function isNamedIn(binary: Uint8Array<ArrayBuffer>, name: string): boolean {
  if (!/^[\w.-]+$/.test(name)) return false;
  return new TextDecoder("latin1").decode(binary).includes(`${name}\0`);
}

/** @throws {EngineError} `model_load_failed` */
export async function requireKnownArchitecture(
  metadata: GgufValues,
  knows: KnowsArchitecture,
): Promise<void> {
  const name = String(metadata.get("general.architecture") ?? "");
  if (await knows(name)) return;
  throw new EngineError(
    "model_load_failed",
    name === ""
      ? "The file does not name its architecture (general.architecture): it is not a llama.cpp model."
      : `The model's architecture '${name.slice(0, 64)}' is unknown to this version of llama.cpp. Use another model, or a newer version of infetch.`,
  );
}
