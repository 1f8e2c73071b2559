import { MissingFileError } from "../../model-store/download.ts";
import { browserEnvironment, type StoreEnvironment } from "../../model-store/environment.ts";
import { fetchModelFiles, requireRoom } from "../../model-store/fetch-model-file.ts";
import { fingerprintOf } from "../../model-store/fingerprint.ts";
import { inspectFiles } from "../../model-store/gguf/inspect.ts";
import type { GgufValue } from "../../model-store/gguf/metadata.ts";
import { allParts } from "../../model-store/gguf/parts.ts";
import { type Snapshot, withSnapshot } from "../../model-store/hub/snapshot.ts";
import { loadEnvironment } from "../../model-store/load-environment.ts";
import type { StoredFile } from "../../model-store/store-file.ts";
import { fileAddress } from "../api/file-name.ts";
import type { ContextSettings, GgufFiles, HubSource, LoadProgress, ModelFile } from "../api/types.ts";
import { preTokenizerName } from "./gguf-tokenizer.ts";
import { type KnowsArchitecture, requireKnownArchitecture } from "./known-architectures.ts";
import { planMemory, requireParts } from "./plan-memory.ts";
import { readTemplate } from "./template.ts";

type Metadata = ReadonlyMap<string, GgufValue>;

const CACHE = "infetch/gguf";
/** Fraction of the load progress assigned to the download. */
export const DOWNLOAD_SHARE = 0.9;
/** File names in an error message. */
const MAX_SHOWN = 12;

export interface FetchedGguf {
  /** In order. */
  parts: Blob[];
  fingerprint: string;
  /** Size of all parts. */
  downloadBytes: number;
}

/** The engine that the files are for. */
export interface LlamaBuild {
  /** Names the engine and its versions. */
  name: string;
  knows: KnowsArchitecture;
}

/**
 * Returns the ordered parts of a model, cached or downloaded, and their fingerprint.
 *
 * @throws {EngineError} `model_download_failed`, `insufficient_storage`; before the download, `insufficient_memory` or
 * `model_load_failed` if the model cannot run here, `invalid_request` for an embedding model; what a hub's refusal means
 */
export async function fetchGguf(
  build: LlamaBuild,
  files: GgufFiles,
  onProgress: (progress: LoadProgress) => void,
  environment = browserEnvironment(),
): Promise<FetchedGguf> {
  const folder = { cache: CACHE, folder: files.cacheURL };
  const load = loadEnvironment(environment, onProgress);
  return withSnapshot(files.hub, folder, load.environment, (snapshot, environment) =>
    fetchParts(build, files, snapshot, load.onProgress, environment),
  );
}

async function fetchParts(
  build: LlamaBuild,
  { parts, sourceURL, cacheURL, hub, ...memory }: GgufFiles,
  snapshot: Snapshot | undefined,
  onProgress: (progress: LoadProgress) => void,
  environment: StoreEnvironment,
): Promise<FetchedGguf> {
  let size = { loadedBytes: 0, totalBytes: 0 };
  const named = allParts(parts).map(
    (part): StoredFile => ({
      url: fileAddress(snapshot?.sourceURL ?? sourceURL, part.name),
      cache: CACHE,
      key: fileAddress(cacheURL, part.name),
      file: snapshot ? fileIn(snapshot, part.name, hub!) : part,
      hub,
    }),
  );
  await requireRoom(named, environment);
  let metadata: Metadata | undefined;
  const files = await inspectFiles(named, environment, (values) => {
    metadata = values;
  });
  requireParts(
    files.map(({ file }) => file.bytes),
    memory.gpu,
  );
  if (metadata) await requireUsable(metadata, files, memory, build.knows);
  const blobs = await fetchModelFiles(files, {
    environment,
    storeLater: snapshot?.storeLater,
    onProgress: (loadedBytes, totalBytes) => {
      size = { loadedBytes, totalBytes };
      const fraction = totalBytes === 0 ? 0 : (loadedBytes / totalBytes) * DOWNLOAD_SHARE;
      onProgress({ phase: "download", ...size, fraction });
    },
  });
  const brought = files.map((file, at) => [file, blobs[at]!] as const);
  const fingerprint = await fingerprintOf(build.name, brought, environment);
  return { parts: blobs, fingerprint, downloadBytes: blobs.reduce((sum, { size }) => sum + size, 0) };
}

/** @throws {MissingFileError} with the names of the files that there are */
function fileIn({ files, sourceURL }: Snapshot, name: string, { repository }: HubSource): ModelFile {
  const file = files.find((one) => one.name === name);
  if (file) return file;
  const others = files.map((one) => one.name).filter((one) => one.endsWith(".gguf"));
  const shown = others.slice(0, MAX_SHOWN).join(", ") + (others.length > MAX_SHOWN ? ", …" : "");
  const known = others.length === 0 ? "It has no GGUF file." : `It has ${shown}.`;
  throw new MissingFileError(`'${repository}' has no file '${name}'. ${known}`, fileAddress(sourceURL, name));
}

/** Refuses what would be refused after the download. */
async function requireUsable(
  metadata: Metadata,
  files: readonly StoredFile[],
  memory: ContextSettings & Pick<GgufFiles, "threads" | "gpu">,
  knows: KnowsArchitecture,
): Promise<void> {
  await requireKnownArchitecture(metadata, knows);
  readTemplate(metadata, false);
  preTokenizerName(metadata);
  planMemory(
    metadata,
    files.map(({ file }) => ({ size: file.bytes })),
    memory,
  );
}
