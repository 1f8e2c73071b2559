/** Which files of an embedding model a load reads, and where they are cached. */

import { totalBytes } from "../../../engine-api/byte-sizes.ts";
import { embeddingFolder } from "../../../engine-api/embedding-folder.ts";
import type { EmbeddingDtype, EmbeddingModel } from "../../../engine-api/embedding-model.ts";
import { fileAddress } from "../../../engine-api/file-name.ts";
import type { LoadProgress } from "../../../engine-api/load-progress.ts";
import { findFile } from "../../../model-store/cache/segments.ts";
import type { StoredFile } from "../../../model-store/cache/store-file.ts";
import { openCache } from "../../../model-store/cache/watched-cache.ts";
import { browserEnvironment, type StoreEnvironment } from "../../../model-store/environment.ts";
import { withSnapshot } from "../../../model-store/hub/snapshot.ts";
import { loadEnvironment } from "../../../model-store/load-environment.ts";
import { discardUnreadable } from "../../../model-store/maintenance.ts";
import { EMBEDDING_CACHE, EmbeddingFiles, type EmbeddingSource } from "./embedding-files.ts";
import { chooseDtype, isPartOf, weightsFile } from "./weights-files.ts";

interface FilesOptions {
  /** Of the weights that the load needs. */
  dtype: EmbeddingDtype;
  /** Whether other weights are loaded where the repository has none that its record names. @default false */
  mayReplace?: boolean;
  onProgress: (progress: LoadProgress) => void;
  /** @default the browser's */
  environment?: StoreEnvironment;
}

/**
 * Runs `load` with the files of a model, those of a hub of one commit, and the dtype of the weights to load.
 *
 * @throws as `load` does
 */
export async function withEmbeddingFiles<T>(
  model: EmbeddingSource,
  { dtype, mayReplace = false, onProgress, environment = browserEnvironment() }: FilesOptions,
  load: (files: EmbeddingFiles, dtype: EmbeddingDtype) => Promise<T>,
): Promise<T> {
  const folder = await findFolder(model, environment);
  const progress = loadEnvironment(environment, onProgress);
  return withSnapshot(
    model.hub,
    { cache: EMBEDDING_CACHE, folder },
    progress.environment,
    async (snapshot, environment) => {
      // The list is complete: no request for a file that it lacks.
      const pinned = snapshot && { sourceURL: snapshot.sourceURL, known: snapshot.files, isSealed: true };
      const source = { ...model, ...pinned };
      const chosen = mayReplace ? chooseDtype(dtype, source.dtypes?.wasm ?? [], source.known) : dtype;
      const files = new EmbeddingFiles(source, {
        folder,
        expectedBytes: expectedBytes(source, chosen),
        onProgress: progress.onProgress,
        environment,
        storeLater: snapshot?.storeLater,
      });
      try {
        return await load(files, chosen);
      } catch (error) {
        // Otherwise what is stored are earlier ones.
        if (!snapshot?.storeLater) await discardOtherTexts(files.storedJSON, environment);
        throw error;
      }
    },
  );
}

/** Deletes stored JSON files that are another text, as a server may send for a while. Never rejects. */
async function discardOtherTexts(files: readonly StoredFile[], environment: StoreEnvironment): Promise<void> {
  for (const stored of files) {
    try {
      const blob = await (await findFile(stored, environment))?.blob();
      if (blob) JSON.parse(await blob.text());
    } catch (error) {
      if (error instanceof SyntaxError) await discardUnreadable(stored, environment);
    }
  }
}

/** Where the files of a version are: if they were stored before its name was encoded, they stay there. */
async function findFolder(model: EmbeddingSource, environment: StoreEnvironment): Promise<string> {
  const folder = versionFolder(model);
  const earlier = new URL(`${model.version}/`, embeddingFolder(model.cacheId ?? model.id)).href;
  if (folder === earlier) return folder;
  const cache = await openCache(environment, EMBEDDING_CACHE);
  const isIn = async (one: string) => (await cache?.match(fileAddress(one, "config.json"))) !== undefined;
  return !(await isIn(folder)) && (await isIn(earlier)) ? earlier : folder;
}

/** Cache URL prefix of the files of one model version. */
export function versionFolder({
  id,
  cacheId = id,
  version,
}: Pick<EmbeddingModel, "id" | "cacheId" | "version">): string {
  return `${embeddingFolder(cacheId)}${encodeURIComponent(version)}/`;
}

/**
 * Total size of the JSON files and of the attempt's weights, which may be split (`onnx/model.onnx_data`). Repositories
 * have weights in other formats, too, which no load reads.
 */
function expectedBytes({ known }: EmbeddingSource, dtype: EmbeddingDtype): number {
  const weights = weightsFile(dtype, known);
  return totalBytes(
    known.filter(
      ({ name }) =>
        name === weights ||
        isPartOf(weights, name) ||
        (name.endsWith(".json") && !/^(onnx|openvino)\//.test(name)),
    ),
  );
}
