/** Search by meaning: passages and query are embedded in the page, then compared. Knows nothing of the document. */

import type OpenAI from "openai";

export const EMBEDDING_MODEL = "infetch-tiny-embed";

/** The SDK passes on what it does not know: this field chooses the prefix of models that have two. */
type EmbeddingParameters = OpenAI.EmbeddingCreateParams & { input_type: "query" | "document" };

interface Embedded {
  vectors: number[][];
  promptTokens: number;
}

export interface Hit {
  passage: string;
  /** Cosine of the angle to the query: 1 is the same direction, 0 has nothing in common. */
  score: number;
}

/** What one search found and what it took. */
export interface SearchResult {
  /** Every passage, the nearest first. */
  hits: Hit[];
  /** 0 when the passages are those of the search before. */
  embeddedPassages: number;
  passageTokens: number;
  queryTokens: number;
  elapsedMs: number;
}

/** One passage on each line; blank lines count for nothing. */
export function splitPassages(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export class Search {
  readonly #openai: OpenAI;
  #passages: string[] = [];
  #vectors: number[][] = [];

  constructor(openai: OpenAI) {
    this.#openai = openai;
  }

  /**
   * Ranks `passages` by their nearness to `query`. They are embedded once, and again when one of them changed.
   *
   * @throws the SDK's error, also for an abort
   */
  async find(passages: string[], query: string, signal: AbortSignal): Promise<SearchResult> {
    const startedAtMs = performance.now();
    const isKnown = passages.join("\n") === this.#passages.join("\n");
    const fresh = isKnown ? undefined : await this.#embed(passages, "document", signal);
    if (fresh) {
      this.#passages = passages;
      this.#vectors = fresh.vectors;
    }
    const vectors = this.#vectors;
    const wanted = await this.#embed(query, "query", signal);
    const hits = passages
      .map((passage, at) => ({ passage, score: dot(wanted.vectors[0]!, vectors[at]!) }))
      .sort((a, b) => b.score - a.score);
    return {
      hits,
      embeddedPassages: fresh?.vectors.length ?? 0,
      passageTokens: fresh?.promptTokens ?? 0,
      queryTokens: wanted.promptTokens,
      elapsedMs: performance.now() - startedAtMs,
    };
  }

  async #embed(
    input: string | string[],
    input_type: "query" | "document",
    signal: AbortSignal,
  ): Promise<Embedded> {
    const parameters: EmbeddingParameters = { model: EMBEDDING_MODEL, input, input_type };
    const { data, usage } = await this.#openai.embeddings.create(parameters, { signal });
    return { vectors: data.map((item) => item.embedding), promptTokens: usage.prompt_tokens };
  }
}

/** The vectors have unit length: their dot product is the cosine. */
function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
