/** Small repositories with the files that engines need. */

export const SHARDS = 6;
export const SHARD_BYTES = 20_000;

/** An MLC build. @param version changes the weights, but not their size */
export function mlcFiles(version = 1): Record<string, string | Uint8Array> {
  const shards = Array.from({ length: SHARDS }, (_, at) => `params_shard_${at}.bin`);
  return {
    "README.md": "A model.",
    "mlc-chat-config.json": JSON.stringify({
      tokenizer_files: ["tokenizer.json"],
      conv_template: { roles: { user: "user" }, seps: [""] },
      context_window_size: 40_960,
      version,
    }),
    "tensor-cache.json": JSON.stringify({
      records: shards.map((dataPath) => ({ dataPath, nbytes: SHARD_BYTES })),
    }),
    "tokenizer.json": JSON.stringify({ model: { type: "BPE", vocab: {} } }),
    ...Object.fromEntries(shards.map((name, at) => [name, shardOf(version, at)])),
  };
}

export function shardOf(version: number, at: number): Uint8Array {
  return Buffer.alloc(SHARD_BYTES, `version ${version} shard ${at} `);
}

/** All shards of a version. */
export const shardsOf = (version: number): Uint8Array[] =>
  Array.from({ length: SHARDS }, (_, at) => shardOf(version, at));
