/** Pure response objects of `POST /v1/embeddings` (OpenAI reference, Embeddings). */

export function embeddingList(
  model: string,
  vectors: readonly Float32Array[],
  encoding: "float" | "base64",
  promptTokens: number,
) {
  return {
    object: "list" as const,
    data: vectors.map((vector, index) => ({
      object: "embedding" as const,
      index,
      embedding: encoding === "base64" ? toBase64(vector) : Array.from(vector),
    })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

/**
 * Truncates a vector and normalizes it to unit length.
 *
 * @param isCentered whether the mean of its numbers is subtracted first
 */
export function cut(vector: Float32Array, dimensions: number, isCentered = false): Float32Array {
  const mean = isCentered ? vector.reduce((sum, value) => sum + value, 0) / vector.length : 0;
  const short = vector.slice(0, dimensions).map((value) => value - mean);
  const length = Math.hypot(...short);
  return length === 0 ? short : short.map((value) => value / length);
}

/** Little-endian float32 on every platform. */
function toBase64(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) view.setFloat32(at * 4, value, true);
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}
