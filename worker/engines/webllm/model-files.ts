/**
 * Places a model's files in web-llm's caches before it loads, so that it fetches nothing itself. Unlike web-llm's own
 * download, this reports progress in bytes, verifies hashes and stores no broken file.
 */

import { downloadFailed } from "../../model-store/download.ts";
import { browserEnvironment, type StoreEnvironment } from "../../model-store/environment.ts";
import { type FetchModelFileOptions, fetchModelFiles } from "../../model-store/fetch-model-file.ts";
import { fingerprintOf } from "../../model-store/fingerprint.ts";
import { withSnapshot } from "../../model-store/hub/snapshot.ts";
import type { StoredFile } from "../../model-store/store-file.ts";
import type { LoadProgress, ModelFiles } from "../api/types.ts";

/** Names of web-llm's caches (web-llm 0.2.86, `createArtifactCache`). */
const SCOPES = { config: "webllm/config", model: "webllm/model", library: "webllm/wasm" } as const;

const CONFIG_FILE = "mlc-chat-config.json";
const TENSORS_FILE = "tensor-cache.json";
const TOKENIZER_CONFIG = "tokenizer_config.json";
const GENERATION_CONFIG = "generation_config.json";
/** Where newer repositories have their chat template, best first; it comes before that of the tokenizer's config. */
const TEMPLATE_FILES = ["chat_template.jinja", "chat_template.json"];

/** URLs under which web-llm finds the placed files. */
export interface PlacedModel {
  modelURL: string;
  libraryURL: string;
  config: Record<string, unknown>;
  /** `tokenizer_config.json`, which holds the chat template; undefined if the build has none. */
  tokenizerConfig?: Record<string, unknown>;
  /** `generation_config.json`, if the model's manifest lists it. */
  generationConfig?: Record<string, unknown>;
  /** Texts of the tokens that structure prompts. */
  specialTokens: readonly string[];
  /** Identifies the engine build and the files' contents. */
  fingerprint: string;
  /** Size of all files. */
  downloadBytes: number;
}

/**
 * @param engineBuild names the engine and its versions
 * @throws {EngineError} `model_download_failed`, `insufficient_storage`
 */
export async function placeModelFiles(
  engineBuild: string,
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
  environment = browserEnvironment(),
): Promise<PlacedModel> {
  const folder = { cache: SCOPES.model, folder: files.cacheURL };
  return withSnapshot(files.hub, folder, environment, (snapshot) => {
    const pinned = snapshot && { sourceURL: snapshot.sourceURL, known: snapshot.files };
    const options = { environment, storeLater: snapshot?.storeLater };
    return place(engineBuild, { ...files, ...pinned }, onProgress, options);
  });
}

async function place(
  engineBuild: string,
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
  options: FetchModelFileOptions & { environment: StoreEnvironment },
): Promise<PlacedModel> {
  const described = [storedFile(files, CONFIG_FILE), storedFile(files, TENSORS_FILE)];
  const [configBlob, tensorsBlob] = await fetchModelFiles(described, options);
  const config = JSON.parse(await configBlob!.text()) as Record<string, unknown>;
  const tensors = JSON.parse(await tensorsBlob!.text()) as TensorCache;
  const small = configBlob!.size + tensorsBlob!.size;
  const report = (loaded: number, total: number): void => {
    const [loadedBytes, totalBytes] = [small + loaded, small + total];
    onProgress({
      phase: "download",
      loadedBytes,
      totalBytes,
      fraction: (loadedBytes / totalBytes) * DOWNLOAD_SHARE,
    });
  };
  const names = [...tokenizerFiles(config), ...files.known.map(({ name }) => name)];
  const templateFile = TEMPLATE_FILES.find((name) => names.includes(name));
  const optional = [TOKENIZER_CONFIG, GENERATION_CONFIG, ...(templateFile ? [templateFile] : [])].filter(
    (name) => names.includes(name),
  );
  const others = [
    storedFile(files, files.library),
    storedFile(files, tokenizerFile(config)),
    ...optional.map((name) => storedFile(files, name)),
    ...tensors.records.map(({ dataPath, nbytes }) => storedFile(files, dataPath, nbytes)),
  ];
  const blobs = [
    configBlob!,
    tensorsBlob!,
    ...(await fetchModelFiles(others, { ...options, onProgress: report })),
  ];
  const brought = [...described, ...others].map((file, at) => [file, blobs[at]!] as const);
  const fingerprint = await fingerprintOf(engineBuild, brought, options.environment);
  const text = (name: string) => brought.find(([{ file }]) => file.name === name)?.[1].text();
  const json = async (name: string) => {
    const content = await text(name);
    return content === undefined ? undefined : (JSON.parse(content) as Record<string, unknown>);
  };
  const template = templateFile?.endsWith(".json")
    ? (await json(templateFile))?.chat_template
    : templateFile && (await text(templateFile));
  const listed = await json(TOKENIZER_CONFIG);
  const tokenizerConfig = template ? { ...listed, chat_template: template } : listed;
  const generationConfig = await json(GENERATION_CONFIG);
  return {
    modelURL: files.cacheURL,
    libraryURL: libraryKey(files),
    config,
    ...(tokenizerConfig ? { tokenizerConfig } : {}),
    ...(generationConfig ? { generationConfig } : {}),
    specialTokens:
      readSpecialTokens(tokenizerConfig) ?? readSpecialTokens(await json("tokenizer.json")) ?? [],
    fingerprint,
    downloadBytes: blobs.reduce((sum, { size }) => sum + size, 0),
  };
}

interface AddedToken {
  content?: unknown;
  special?: unknown;
}

/** Of a `tokenizer_config.json` or `tokenizer.json`; undefined if it does not list them. */
function readSpecialTokens(config: Record<string, unknown> | undefined): string[] | undefined {
  const { added_tokens_decoder: byId, added_tokens: list } = (config ?? {}) as Record<string, object>;
  if (!byId && !list) return undefined;
  const tokens = Object.values(byId ?? list ?? {}) as AddedToken[];
  return tokens.flatMap(({ content, special }) => (special && typeof content === "string" ? [content] : []));
}

/** Fraction of the load progress assigned to the download. */
export const DOWNLOAD_SHARE = 0.8;

interface TensorCache {
  records: { dataPath: string; nbytes: number }[];
}

/** Source and web-llm cache location of a file of an MLC build. */
function storedFile(files: ModelFiles, name: string, bytes = 0): StoredFile {
  const known = files.known.find((file) => file.name === name);
  if (!known && files.isSealed) throw downloadFailed(name, "its manifest has no hash for it");
  const isLibrary = name === files.library;
  const cache = isLibrary ? SCOPES.library : name === CONFIG_FILE ? SCOPES.config : SCOPES.model;
  const url = new URL(name, files.sourceURL).href;
  return {
    url,
    cache,
    key: isLibrary ? libraryKey(files) : files.cacheURL + name,
    file: known ?? { name, bytes },
    // The library may be on another host, whose refusals are not the hub's.
    hub: files.hub && url.startsWith(files.hub.url) ? files.hub : undefined,
  };
}

/** An absolute library URL is its own key; otherwise the key is beside the version's folder. */
function libraryKey({ library, cacheURL }: ModelFiles): string {
  return URL.canParse(library) ? library : new URL("../../model-library.wasm", cacheURL).href;
}

function tokenizerFile(config: Record<string, unknown>): string {
  return tokenizerFiles(config).includes("tokenizer.json") ? "tokenizer.json" : "tokenizer.model";
}

function tokenizerFiles({ tokenizer_files: names }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(names) ? names : [];
}
