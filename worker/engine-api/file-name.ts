/** File names as addresses: encoded once, decoded once. Names come from hubs, manifests and models. */

import { EngineError } from "./engine-error.ts";

/** The manifest in a model's own folder. */
export const MANIFEST_FILE = "infetch-model.json";

/** The longest path that hubs allow. */
const MAX_NAME_LENGTH = 1024;
/** Characters of a name in an error message. */
const MAX_SHOWN = 200;

/** Whether it is the path of a file in its model's folder: `config.json`, `onnx/model.onnx`. */
export function isFileName(name: unknown): name is string {
  const isSegment = (segment: string): boolean => !/^\.{0,2}$/.test(segment);
  return (
    typeof name === "string" &&
    name.length <= MAX_NAME_LENGTH &&
    // A backslash is a slash in addresses; lone surrogates have no encoding.
    !/[\p{Cc}\p{Cs}\\]/u.test(name) &&
    name.split("/").every(isSegment)
  );
}

/** Whether a model's manifest may name a file so. Nothing in it is the address of another host. */
export function isManifestName(name: string): boolean {
  return isFileName(name) && !name.includes(":");
}

/**
 * The address of a file in a folder, different for each name; `#`, `?` and `%` are a part of the name. Names without
 * special characters stay as they are, so addresses of files that are stored already do not change.
 *
 * @param folder with a trailing slash
 * @throws {EngineError} `model_load_failed` for a name that {@link isFileName} refuses
 */
export function fileAddress(folder: string, name: string): string {
  if (!isFileName(name)) {
    const shown = JSON.stringify(String(name).slice(0, MAX_SHOWN));
    throw new EngineError(
      "model_load_failed",
      `The model names a file ${shown}, which is no file in its folder.`,
    );
  }
  return new URL(`./${name.replace(/[%?# ]/g, encodeURIComponent)}`, folder).href;
}

/** What was encoded in an address; as it is if something else encoded it. */
export function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
