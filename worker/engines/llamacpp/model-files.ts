import { EngineError } from "../../engine-api/engine-error.ts";
import { fileAddress } from "../../engine-api/file-name.ts";
import { chooseProjector, chooseWeights, isGgufName } from "../../engine-api/gguf-name.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import type { GgufFiles, HubSource, ModelFile } from "../../engine-api/model-files.ts";
import { fingerprintOf } from "../../model-store/cache/fingerprint.ts";
import type { StoredFile } from "../../model-store/cache/store-file.ts";
import { MissingFileError } from "../../model-store/download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "../../model-store/environment.ts";
import { fetchModelFiles, requireRoom } from "../../model-store/fetch-model-file.ts";
import { inspectFiles } from "../../model-store/gguf/inspect.ts";
import { type GgufValues, readMetadata } from "../../model-store/gguf/metadata.ts";
import { requireChatModel } from "../../model-store/gguf/model-kind.ts";
import { allParts, requireAllParts } from "../../model-store/gguf/parts.ts";
import { type Snapshot, withSnapshot } from "../../model-store/hub/snapshot.ts";
import { loadEnvironment } from "../../model-store/load-environment.ts";
import { type KnowsArchitecture, requireKnownArchitecture } from "./known-architectures.ts";
import { planMemory, requireParts } from "./memory/plan-memory.ts";
import { type EncoderPlan, limitPixels, planEncoder, requireProjector } from "./projector.ts";
import { readTemplate } from "./template.ts";
import { preTokenizerName } from "./tokenizer/gguf-tokenizer.ts";

const CACHE = "infetch/gguf";
/** Fraction of the load progress assigned to the download. */
export const DOWNLOAD_SHARE = 0.9;
/** File names in an error message. */
const MAX_SHOWN = 12;

interface FetchedGguf {
  /** In order. */
  parts: Blob[];
  projector?: { file: Blob; encoder: EncoderPlan };
  fingerprint: string;
  /** Size of all files. */
  downloadBytes: number;
}

/** The engine that the files are for. */
export interface LlamaBuild {
  /** Names the engine and its versions. */
  name: string;
  knows: KnowsArchitecture;
  /** What the model is for. @default chat */
  use?: GgufUse;
}

/** What a model has to be, and to fit into, before it is downloaded. */
export interface GgufUse {
  /** @throws {EngineError} for a model of another kind */
  requireKind(metadata: GgufValues): void;
  /**
   * @param sizes of all files
   * @param encoding memory that encodes images; undefined without a projector
   * @throws {EngineError}
   */
  requireUsable(
    metadata: GgufValues,
    sizes: readonly { size: number }[],
    files: GgufFiles,
    encoding: number | undefined,
  ): void;
}

const CHAT: GgufUse = {
  requireKind: requireChatModel,
  requireUsable(metadata, sizes, files, encoding) {
    readTemplate(metadata, false);
    planMemory(metadata, sizes, files, encoding);
  },
};

/**
 * Returns the ordered parts of a model and its projector, cached or downloaded, and their fingerprint.
 *
 * @throws {EngineError} `model_download_failed`, `insufficient_storage`; before the download, `insufficient_memory` or
 * `model_load_failed` if the model cannot run here, what its `use` says of another kind; what a hub's refusal means
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
    fetchFrom(snapshot, { build, gguf: files, onProgress: load.onProgress, environment }),
  );
}

interface GgufLoad {
  build: LlamaBuild;
  gguf: GgufFiles;
  onProgress: (progress: LoadProgress) => void;
  environment: StoreEnvironment;
}

async function fetchFrom(snapshot: Snapshot | undefined, load: GgufLoad): Promise<FetchedGguf> {
  const { build, gguf, onProgress, environment } = load;
  const { sourceURL, cacheURL, hub } = gguf;
  const stored = (file: ModelFile): StoredFile => ({
    url: fileAddress(snapshot?.sourceURL ?? sourceURL, file.name),
    cache: CACHE,
    key: fileAddress(cacheURL, file.name),
    file: snapshot ? fileIn(snapshot, file.name, hub!) : file,
    hub,
  });
  const named = gguf.parts.length > 0 ? gguf.parts : [chosenFile(snapshot, hub)];
  const model = allParts(named).map(stored);
  const wanted = gguf.projector === "auto" ? ownProjector(snapshot) : gguf.projector;
  const projector = wanted && stored(wanted);
  await requireRoom(projector ? [...model, projector] : model, environment);
  const files = await inspectBeforeDownload(model, projector, load);
  const parts = await fetchModelFiles(files, {
    environment,
    storeLater: snapshot?.storeLater,
    onProgress: (loadedBytes, totalBytes) => {
      const fraction = totalBytes === 0 ? 0 : (loadedBytes / totalBytes) * DOWNLOAD_SHARE;
      onProgress({ phase: "download", loadedBytes, totalBytes, fraction });
    },
  });
  const brought = files.map((file, at) => [file, parts[at]!] as const);
  const fingerprint = await fingerprintOf(build.name, brought, environment);
  const downloadBytes = parts.reduce((sum, { size }) => sum + size, 0);
  if (!projector) return { parts, fingerprint, downloadBytes };
  const whole = parts.pop()!;
  const description = await readMetadata(whole);
  requireProjector(description, projector.file.name);
  const encoder = planEncoder(description);
  const file = encoder.maxPixels === undefined ? whole : await limitPixels(whole, encoder.maxPixels);
  return { parts, projector: { file, encoder }, fingerprint, downloadBytes };
}

/**
 * Refuses what would be refused after the download, as far as the files are not stored yet.
 *
 * @returns the files with their sizes, the projector last
 */
async function inspectBeforeDownload(
  model: readonly StoredFile[],
  projector: StoredFile | undefined,
  { build, gguf, environment }: GgufLoad,
): Promise<StoredFile[]> {
  const { use = CHAT } = build;
  let encoderBytes = 0;
  const inspectedProjector = await inspectFiles(projector ? [projector] : [], environment, (values) => {
    requireProjector(values, projector!.file.name);
    encoderBytes = planEncoder(values).bytes;
  });
  let metadata: GgufValues | undefined;
  const inspectedModel = await inspectFiles(model, environment, (values) => {
    metadata = values;
    use.requireKind(values);
  });
  const files = [...inspectedModel, ...inspectedProjector];
  const sizes = files.map(({ file }) => ({ size: file.bytes }));
  requireParts(
    sizes.map(({ size }) => size),
    gguf.gpu,
  );
  if (!metadata) return files;
  requireAllParts(metadata, model.length);
  await requireKnownArchitecture(metadata, build.knows);
  preTokenizerName(metadata);
  use.requireUsable(metadata, sizes, gguf, projector && encoderBytes);
  return files;
}

/** @throws {EngineError} as {@link ownProjector} */
function chosenFile(snapshot: Snapshot | undefined, hub: HubSource | undefined): ModelFile {
  const found = snapshot && chooseWeights(snapshot.files);
  if (found) return found;
  throw new EngineError(
    "model_load_failed",
    snapshot
      ? `The repository '${hub?.repository}' has no GGUF file.`
      : "The hub does not list the files of the repository. Name one with 'file'.",
  );
}

/** @throws {EngineError} `model_load_failed` if there is none, or the hub does not list its files */
function ownProjector(snapshot: Snapshot | undefined): ModelFile {
  const found = snapshot && chooseProjector(snapshot.files);
  if (found) return found;
  throw new EngineError(
    "model_load_failed",
    snapshot
      ? "The repository has no projector ('mmproj-….gguf'), which a model needs to take images."
      : "The hub does not list the files of the repository. Name the projector's file instead of 'auto'.",
  );
}

/** @throws {MissingFileError} with the names of the files that there are */
function fileIn({ files, sourceURL }: Snapshot, name: string, { repository }: HubSource): ModelFile {
  const file = files.find((one) => one.name === name);
  if (file) return file;
  const others = files.map((one) => one.name).filter(isGgufName);
  const shown = others.slice(0, MAX_SHOWN).join(", ") + (others.length > MAX_SHOWN ? ", …" : "");
  const known = others.length === 0 ? "It has no GGUF file." : `It has ${shown}.`;
  throw new MissingFileError(`'${repository}' has no file '${name}'. ${known}`, fileAddress(sourceURL, name));
}
