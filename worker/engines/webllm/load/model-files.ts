/**
 * Places a model's files in web-llm's caches before it loads, so that it fetches nothing itself. Unlike web-llm's own
 * download, this reports progress in bytes, verifies hashes and stores no broken file.
 */

import { fileAddress } from "../../../engine-api/file-name.ts";
import type { LoadProgress } from "../../../engine-api/load-progress.ts";
import type { ModelFiles } from "../../../engine-api/model-files.ts";
import { fingerprintOf } from "../../../model-store/cache/fingerprint.ts";
import type { StoredFile } from "../../../model-store/cache/store-file.ts";
import { downloadFailed } from "../../../model-store/download-errors.ts";
import { browserEnvironment, type StoreEnvironment } from "../../../model-store/environment.ts";
import { type FetchModelFileOptions, requireRoom } from "../../../model-store/fetch-model-file.ts";
import { withSnapshot } from "../../../model-store/hub/snapshot.ts";
import { loadEnvironment } from "../../../model-store/load-environment.ts";
import type { ChosenContext } from "../../memory/choose-context.ts";
import { requireConversation } from "../single/raw-conversation.ts";
import { FetchedFiles } from "./fetched-files.ts";
import { planContext } from "./plan-context.ts";
import { readJson, readSpecialTokens, requireLibrary, requireTokenizer, shardsIn } from "./read-files.ts";

/** Names of web-llm's caches (web-llm 0.2.86, `createArtifactCache`). */
const SCOPES = { config: "webllm/config", model: "webllm/model", library: "webllm/wasm" } as const;

const CONFIG_FILE = "mlc-chat-config.json";
const TENSORS_FILE = "tensor-cache.json";
const TOKENIZER_CONFIG = "tokenizer_config.json";
const GENERATION_CONFIG = "generation_config.json";
/** Where newer repositories have their chat template, best first; it comes before that of the tokenizer's config. */
const TEMPLATE_FILES = ["chat_template.jinja", "chat_template.json"];
/** The template of requests with tools, which newer repositories have in addition to the first of these. */
const TOOL_TEMPLATE = "additional_chat_templates/tool_use.jinja";

/** URLs under which web-llm finds the placed files. */
export interface PlacedModel {
  modelURL: string;
  libraryURL: string;
  config: Record<string, unknown>;
  context: ChosenContext;
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

/** The engine that the files are for. */
interface WebllmBuild {
  /** Names the engine and its versions. */
  name: string;
  /** The adapter's limits. */
  limits: Pick<GPUSupportedLimits, "maxStorageBufferBindingSize">;
}

/**
 * Configuration first, then tokenizer, template and library, then the weights: what cannot run is refused before them.
 *
 * @throws {EngineError} `model_download_failed`, `insufficient_storage`; before the weights, `insufficient_memory` or
 * `model_load_failed` if the model cannot run here
 */
export async function placeModelFiles(
  build: WebllmBuild,
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
  environment = browserEnvironment(),
): Promise<PlacedModel> {
  const folder = { cache: SCOPES.model, folder: files.cacheURL };
  const load = loadEnvironment(environment, onProgress);
  return withSnapshot(files.hub, folder, load.environment, (snapshot, environment) => {
    const pinned = snapshot && { sourceURL: snapshot.sourceURL, known: snapshot.files };
    const options = { environment, storeLater: snapshot?.storeLater };
    return place(build, { ...files, ...pinned }, load.onProgress, options);
  });
}

async function place(
  build: WebllmBuild,
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
  options: FetchModelFileOptions & { environment: StoreEnvironment },
): Promise<PlacedModel> {
  const fetched = new FetchedFiles(options);
  await fetched.fetch([storedFile(files, CONFIG_FILE), storedFile(files, TENSORS_FILE)]);
  const config = (await fetched.json(CONFIG_FILE))!;
  const readShards = async (file: Blob) => shardsIn(await readJson(TENSORS_FILE, file));
  const shards = (await fetched.read(TENSORS_FILE, readShards))!;
  requireConversation(config);
  const weightBytes = shards.reduce((sum, { nbytes }) => sum + nbytes, 0);
  const context = planContext(config, weightBytes, files, build.limits);

  const reporter = (before: number, after: number) => (loaded: number, total: number) => {
    const [loadedBytes, totalBytes] = [before + loaded, before + total + after];
    const fraction = (loadedBytes / totalBytes) * DOWNLOAD_SHARE;
    const { memoryBytes, neededBytes } = context;
    onProgress({ phase: "download", loadedBytes, totalBytes, fraction, memoryBytes, neededBytes });
  };
  const describing = describingNames(config, files).map((name) => storedFile(files, name));
  const weights = shards.map(({ dataPath, nbytes }) => storedFile(files, dataPath, nbytes));
  await requireRoom([...describing, ...weights], options.environment);
  await fetched.fetch(describing, reporter(fetched.bytes, weightBytes));
  await fetched.read(files.library, (library) => requireLibrary(files.library, library));
  const tokenizer = await readTokenizer(fetched);
  const generationConfig = await fetched.json(GENERATION_CONFIG);

  await fetched.fetch(weights, reporter(fetched.bytes, 0));
  return {
    modelURL: files.cacheURL,
    libraryURL: libraryKey(files),
    config,
    context,
    ...tokenizer,
    ...(generationConfig ? { generationConfig } : {}),
    fingerprint: await fingerprintOf(build.name, fetched.all, options.environment),
    downloadBytes: fetched.bytes,
  };
}

/** Library and tokenizer, and what the build has of template and settings. */
function describingNames(config: Record<string, unknown>, { library, known }: ModelFiles): string[] {
  const names = [...tokenizerFiles(config), ...known.map(({ name }) => name)];
  const template = TEMPLATE_FILES.find((name) => names.includes(name));
  const others = [
    TOKENIZER_CONFIG,
    GENERATION_CONFIG,
    ...(template === TEMPLATE_FILES[0] ? [TOOL_TEMPLATE] : []),
  ];
  const optional = others.filter((name) => names.includes(name));
  return [library, tokenizerFile(config), ...optional, ...(template ? [template] : [])];
}

/** @throws {EngineError} `model_load_failed` for a tokenizer that cannot be read */
async function readTokenizer(
  fetched: FetchedFiles,
): Promise<Pick<PlacedModel, "tokenizerConfig" | "specialTokens">> {
  const tokenizer = await fetched.json("tokenizer.json");
  requireTokenizer(tokenizer);
  const listed = await fetched.json(TOKENIZER_CONFIG);
  const template = await readTemplateFile(fetched);
  const tokenizerConfig = template ? { ...listed, chat_template: template } : listed;
  return {
    ...(tokenizerConfig ? { tokenizerConfig } : {}),
    specialTokens: readSpecialTokens(tokenizerConfig) ?? readSpecialTokens(tokenizer) ?? [],
  };
}

/** The chat template of a file of its own, if the build has one; several as `tokenizer_config.json` lists them. */
async function readTemplateFile(fetched: FetchedFiles): Promise<unknown> {
  const name = TEMPLATE_FILES.find((one) => fetched.find(one));
  if (name === undefined) return undefined;
  if (name.endsWith(".json")) return (await fetched.json(name))?.chat_template;
  const template = await fetched.find(name)!.text();
  const toolUse = await fetched.find(TOOL_TEMPLATE)?.text();
  if (toolUse === undefined) return template;
  return [
    { name: "default", template },
    { name: "tool_use", template: toolUse },
  ];
}

/** Fraction of the load progress assigned to the download. */
export const DOWNLOAD_SHARE = 0.8;

/** Source and web-llm cache location of a file of an MLC build. */
function storedFile(files: ModelFiles, name: string, bytes = 0): StoredFile {
  const known = files.known.find((file) => file.name === name);
  if (!known && files.isSealed) throw downloadFailed(name, "its manifest has no hash for it");
  const isLibrary = name === files.library;
  const cache = isLibrary ? SCOPES.library : name === CONFIG_FILE ? SCOPES.config : SCOPES.model;
  const url = isLibrary && URL.canParse(name) ? name : fileAddress(files.sourceURL, name);
  return {
    url,
    cache,
    key: isLibrary ? libraryKey(files) : fileAddress(files.cacheURL, name),
    file: known ?? { name, bytes },
    // The library may be on another host, whose refusals are not the hub's.
    hub: files.hub && url.startsWith(files.hub.url) ? files.hub : undefined,
  };
}

/** An absolute library URL is its own key; otherwise `model-library.wasm` takes the place of `resolve/main/`. */
function libraryKey({ library, cacheURL }: ModelFiles): string {
  return URL.canParse(library) ? library : new URL("../../model-library.wasm", cacheURL).href;
}

function tokenizerFile(config: Record<string, unknown>): string {
  return tokenizerFiles(config).includes("tokenizer.json") ? "tokenizer.json" : "tokenizer.model";
}

function tokenizerFiles({ tokenizer_files: names }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(names) ? names : [];
}
