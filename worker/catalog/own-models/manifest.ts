/** Converts `infetch-model.json` to a record. */

import * as z from "zod/mini";
import { type ModelManifest, POOLINGS } from "../../../src/protocol/options/own-models.ts";
import type { Parallel } from "../../../src/protocol/parallel.ts";
import { totalBytes } from "../../engine-api/byte-sizes.ts";
import { DEFAULT_CONTEXT } from "../../engine-api/default-context.ts";
import { ownFolder } from "../../engine-api/embedding-folder.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { isManifestName, MANIFEST_FILE } from "../../engine-api/file-name.ts";
import { chooseProjector, isGgufName, isProjectorName } from "../../engine-api/gguf-name.ts";
import type { ChatBuilds, GgufFiles, ModelFile } from "../../engine-api/model-files.ts";
import { firstIssue } from "../../lazy/first-issue.ts";
import { HUB_DTYPES } from "../embeddings/embedding-models.ts";
import type { CatalogRecord, ChatModelRecord, EmbeddingModelRecord } from "../model-record.ts";

/** Identifies an MLC build. */
const MLC_CONFIG = "mlc-chat-config.json";

const dtypes = z.array(z.enum(["fp32", "fp16", "q8", "q4", "q4f16"])).check(z.minLength(1));

const schema = z.object({
  infetch: z.literal(1),
  kind: z.enum(["chat", "embedding"]),
  files: z
    .array(
      z.object({
        name: z.string().check(z.refine(isManifestName, "expected the path of a file in the folder")),
        bytes: z.number().check(z.int(), z.minimum(0)),
        sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/i)),
      }),
    )
    .check(z.minLength(1)),
  created: z.optional(z.number().check(z.int())),
  ownedBy: z.optional(z.string()),
  licence: z.optional(z.string()),
  baseModel: z.optional(z.string()),
  contextWindow: z.optional(z.number().check(z.int(), z.minimum(1))),
  reasoning: z.optional(
    z.object({ line: z.string(), offLine: z.optional(z.string()), open: z.string(), close: z.string() }),
  ),
  tools: z.optional(z.literal("generic")),
  samplingDefaults: z.optional(z.enum(["api", "model"])),
  parseSpecialTokens: z.optional(z.boolean()),
  library: z.optional(z.string()),
  embedding: z.optional(
    z.object({
      pooling: z.optional(z.enum(POOLINGS)),
      normalize: z.optional(z.boolean()),
      prefixes: z.optional(z.object({ query: z.string(), document: z.string() })),
      shortestDimensions: z.optional(z.number().check(z.int(), z.minimum(1))),
      dtypes: z.optional(z.object({ webgpu: z.optional(dtypes), wasm: z.optional(dtypes) })),
    }),
  ),
});

/** What a record shares with its placeholder from before its manifest was read. */
interface ManifestSource {
  id: string;
  /** Folder with the files, with a trailing slash. */
  sourceURL: string;
  /** Changes with any byte of the manifest, and so with any byte of any file. */
  version: string;
  /** Unix seconds, if the manifest has no date. */
  created: number;
  /** From the runtime's option; at most the manifest's. */
  contextWindow?: number;
  /** From the runtime's option. */
  parallel?: Parallel;
}

type Manifest = z.output<typeof schema>;

/** @throws {EngineError} `model_load_failed` for an invalid manifest */
export function recordOf(text: string, source: ManifestSource): CatalogRecord {
  const manifest = parse(text, source.id);
  const { files, kind, created, ownedBy, licence, baseModel } = manifest;
  const head = {
    id: source.id,
    created: created ?? source.created,
    ownedBy: ownedBy ?? "user",
    downloadBytes: totalBytes(filesToLoad(files)),
    ...(licence === undefined ? {} : { licence }),
    ...(baseModel === undefined ? {} : { baseModel }),
  };
  return {
    ...head,
    ...(kind === "embedding" ? embeddingPart(manifest, source) : chatPart(manifest, source)),
  };
}

/** The smaller of the option and the manifest. */
function contextOf(
  { contextWindow: most = Number.POSITIVE_INFINITY }: Manifest,
  { contextWindow: wanted }: ManifestSource,
): number | undefined {
  const context = Math.min(wanted ?? Number.POSITIVE_INFINITY, most);
  return Number.isFinite(context) ? context : undefined;
}

/** Fields of every record, which `recordOf` adds. */
type Head = "id" | "created" | "ownedBy" | "downloadBytes";

function embeddingPart(manifest: Manifest, source: ManifestSource): Omit<EmbeddingModelRecord, Head> {
  const { files } = manifest;
  const { dtypes: given, ...rules } = manifest.embedding ?? {};
  const contextWindow = contextOf(manifest, source);
  const isGguf =
    files.some(({ name }) => isGgufName(name)) && !files.some(({ name }) => name.endsWith(".onnx"));
  const embedding = {
    ...(rules as Omit<NonNullable<ModelManifest["embedding"]>, "dtypes">),
    id: source.id,
    cacheId: `own/${source.id}`,
    sourceURL: source.sourceURL,
    version: source.version,
    known: files,
    isSealed: true,
    ...(isGguf ? { gguf: ggufOf(files, source) } : {}),
    dtypes: { webgpu: given?.webgpu ?? HUB_DTYPES.webgpu, wasm: given?.wasm ?? HUB_DTYPES.wasm },
    ...(given?.wasm ? {} : { mayReplaceDtypes: true }),
    ...(contextWindow === undefined ? {} : { maxTokens: contextWindow }),
  };
  return { kind: "embedding", contextWindow, embedding };
}

function chatPart(manifest: Manifest, source: ManifestSource): Omit<ChatModelRecord, Head> {
  const {
    contextWindow: maxContextWindow,
    reasoning,
    tools,
    samplingDefaults,
    parseSpecialTokens,
  } = manifest;
  const context = contextOf(manifest, source);
  return {
    kind: "chat",
    contextWindow:
      source.contextWindow === undefined && context ? Math.min(context, DEFAULT_CONTEXT) : context,
    ...(maxContextWindow === undefined ? {} : { maxContextWindow }),
    ...(reasoning ? { reasoning: reasoningOf(reasoning) } : {}),
    ...(tools ? { tools } : {}),
    ...(samplingDefaults ? { samplingDefaults } : {}),
    ...(parseSpecialTokens === undefined ? {} : { parseSpecialTokens }),
    builds: buildsOf(manifest, source),
  };
}

function reasoningOf({ line, offLine, open, close }: NonNullable<Manifest["reasoning"]>) {
  return { type: "system-line" as const, line, open, close, ...(offLine === undefined ? {} : { offLine }) };
}

function parse(text: string, id: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken(id, "it is not valid JSON");
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = firstIssue(schema, value)!;
  throw broken(id, `${path.join(".") || "it"}: ${message}`);
}

/** The GGUF model among the files. */
function ggufOf(
  files: readonly ModelFile[],
  { id, sourceURL, version }: ManifestSource,
): Pick<GgufFiles, "sourceURL" | "cacheURL" | "parts"> {
  const parts = files.filter(({ name }) => isGgufName(name) && !isProjectorName(name));
  // Not a real host: the URL only identifies the version in the browser's cache.
  return { sourceURL, cacheURL: `${ownFolder(id)}${version}/resolve/main/`, parts };
}

/** Builds found in the files: an MLC configuration, GGUF files, or both. */
function buildsOf(
  { files, library = "model-library.wasm", contextWindow: maxContextWindow }: Manifest,
  source: ManifestSource,
): ChatBuilds {
  const { id, sourceURL, contextWindow, parallel } = source;
  const gguf = files.filter(({ name }) => isGgufName(name));
  const projector = chooseProjector(gguf);
  const { cacheURL, parts } = ggufOf(files, source);
  const isMlc = files.some(({ name }) => name === MLC_CONFIG);
  if (!isMlc && parts.length === 0) {
    throw broken(id, "files: a chat model needs an mlc-chat-config.json or a .gguf file");
  }
  const context = {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxContextWindow === undefined ? {} : { maxContextWindow }),
  };
  return {
    ...(isMlc
      ? {
          webllm: {
            ...{ sourceURL, cacheURL, known: files, isSealed: true, library, ...context },
            ...(parallel === undefined ? {} : { parallel }),
          },
        }
      : {}),
    ...(parts.length > 0
      ? { llamacpp: { sourceURL, cacheURL, parts, ...(projector ? { projector } : {}), ...context } }
      : {}),
  };
}

/** Of two builds in a folder, only one is downloaded: counts the one for WebGPU. */
function filesToLoad(files: readonly ModelFile[]): readonly ModelFile[] {
  const others = files.filter(({ name }) => !isGgufName(name));
  return others.some(({ name }) => name === MLC_CONFIG) ? others : files;
}

function broken(id: string, why: string): EngineError {
  return new EngineError("model_load_failed", `The ${MANIFEST_FILE} of '${id}' is invalid: ${why}.`);
}
