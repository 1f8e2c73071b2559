/** Reads and checks the files of an MLC build, before its weights are downloaded. */

import { EngineError } from "../../../engine-api/engine-error.ts";
import { isFileName } from "../../../engine-api/file-name.ts";

/** A file of weights, as `tensor-cache.json` lists it. */
interface Shard {
  dataPath: string;
  nbytes: number;
}

/** @throws {EngineError} `model_load_failed` */
export async function readJson(name: string, blob: Blob): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await blob.text());
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw unusable(`its ${name} is not valid JSON`, error);
  }
  throw unusable(`its ${name} is not a JSON object`);
}

/** @throws {EngineError} `model_load_failed` if `tensor-cache.json` lists no files */
export function shardsIn({ records }: Record<string, unknown>): readonly Shard[] {
  const shards = Array.isArray(records) ? (records as (Partial<Shard> | null)[]) : [];
  const isListed = shards.every(
    (shard) =>
      typeof shard?.dataPath === "string" && Number.isSafeInteger(shard.nbytes) && shard.nbytes! >= 0,
  );
  if (shards.length === 0 || !isListed) throw unusable("its tensor-cache.json does not list its weights");
  // web-llm asks its cache for shards under their unencoded names.
  const odd = (shards as Shard[]).find(({ dataPath }) => !isFileName(dataPath) || /[%?#]/.test(dataPath));
  if (odd)
    throw unusable(
      `its tensor-cache.json names a shard ${JSON.stringify(odd.dataPath)}, which is not a valid file name`,
    );
  return shards as Shard[];
}

/** Kinds of vocabularies in the tokenizer that web-llm uses (`@mlc-ai/web-tokenizers`). */
const TOKENIZER_KINDS: readonly unknown[] = ["BPE", "Unigram", "WordPiece", "WordLevel", undefined];

/**
 * @param tokenizer `tokenizer.json`; undefined for a build with a SentencePiece model instead
 * @throws {EngineError} `model_load_failed`
 */
export function requireTokenizer(tokenizer: Record<string, unknown> | undefined): void {
  if (!tokenizer) return;
  const { model } = tokenizer as { model?: { type?: unknown; vocab?: unknown } | null };
  if (!model?.vocab) throw unusable("its tokenizer.json has no vocabulary");
  if (TOKENIZER_KINDS.includes(model.type)) return;
  throw unusable(`its tokenizer type '${String(model.type).slice(0, 64)}' is not supported`);
}

/** @throws {EngineError} `model_load_failed` if it is not a WebAssembly module, for example a host's "not found" page */
export async function requireLibrary(name: string, library: Blob): Promise<void> {
  const start = new Uint8Array(await library.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) === "\0asm") return;
  throw unusable(`its model library ${name} is not a WebAssembly module`);
}

interface AddedToken {
  content?: unknown;
  special?: unknown;
}

/** Special tokens in a `tokenizer_config.json` or `tokenizer.json`; undefined if it does not list them. */
export function readSpecialTokens(config: Record<string, unknown> | undefined): string[] | undefined {
  const { added_tokens_decoder: byId, added_tokens: list } = (config ?? {}) as Record<string, object>;
  if (!byId && !list) return undefined;
  const tokens = Object.values(byId ?? list ?? {}) as AddedToken[];
  return tokens.flatMap(({ content, special }) => (special && typeof content === "string" ? [content] : []));
}

function unusable(why: string, cause?: unknown): EngineError {
  return new EngineError("model_load_failed", `The MLC build cannot be used: ${why}.`, { cause });
}
