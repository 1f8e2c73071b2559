/** Reads the weights of a model folder as web-llm does, widened to single precision. */
import type { Weights } from "./weights.ts";

interface TensorCache {
  records: {
    dataPath: string;
    records: { name: string; format: "raw" | "f32-to-bf16"; byteOffset: number; nbytes: number }[];
  }[];
}

export async function fetchWeights(folder: string): Promise<Weights> {
  const cache = (await (await fetch(`${folder}/tensor-cache.json`)).json()) as TensorCache;
  const weights = new Map<string, Float32Array>();
  for (const shard of cache.records) {
    const bytes = await (await fetch(`${folder}/${shard.dataPath}`)).arrayBuffer();
    for (const { name, format, byteOffset, nbytes } of shard.records) {
      const part = bytes.slice(byteOffset, byteOffset + nbytes);
      weights.set(name, format === "raw" ? new Float32Array(part) : widen(new Uint16Array(part)));
    }
  }
  return weights;
}

function widen(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
}
