/** Semantic search: embeds passages and query in the page and compares them. Independent of the DOM. */

import type OpenAI from "openai";
import { reasonOf } from "../../store/loadable.ts";

/** The SDK forwards unknown fields; this one selects the prefix for models that have two. */
type EmbeddingParameters = OpenAI.EmbeddingCreateParams & { input_type: "query" | "document" };

/** Passages per request; small enough for prompt progress and cancellation. */
const PASSAGES_PER_REQUEST = 32;

interface Hit {
  passage: string;
  /** Cosine similarity to the query: 1 means the same direction, 0 unrelated. */
  score: number;
}

/** Results and usage of one search. */
export interface SearchResult {
  model: string;
  query: string;
  /** All passages, best first. */
  hits: Hit[];
  /** 0 if all passages were embedded before. */
  embeddedPassages: number;
  passageTokens: number;
  queryTokens: number;
  elapsedMs: number;
}

/** A passage was rejected. The API counts inputs from 0; this counts from 1. */
class PassageError extends Error {
  override name = "PassageError" as const;
}

export class Search {
  readonly #openai: OpenAI;
  readonly #model: string;
  readonly #vectors = new Map<string, number[]>();

  constructor(openai: OpenAI, model: string) {
    this.#openai = openai;
    this.#model = model;
  }

  /**
   * Ranks `passages` by similarity to `query`. Each passage is embedded only once across searches.
   *
   * @param onProgress gets the embedded share of the passages, 0 to 1
   * @throws {PassageError} and the SDK's error, including aborts
   */
  async find(
    passages: readonly string[],
    query: string,
    signal: AbortSignal,
    onProgress: (fraction: number) => void,
  ): Promise<SearchResult> {
    const startedAtMs = performance.now();
    const fresh = [...new Set(passages)].filter((passage) => !this.#vectors.has(passage));
    let passageTokens = 0;
    for (let at = 0; at < fresh.length; at += PASSAGES_PER_REQUEST) {
      onProgress(at / fresh.length);
      const some = fresh.slice(at, at + PASSAGES_PER_REQUEST);
      const { vectors, tokens } = await this.#embed(some, "document", signal).catch((error: unknown) => {
        throw namePassage(error, passages, some);
      });
      some.forEach((passage, index) => void this.#vectors.set(passage, vectors[index]!));
      passageTokens += tokens;
    }
    onProgress(1);
    const wanted = await this.#embed(query, "query", signal);
    const hits = passages
      .map((passage) => ({ passage, score: dot(wanted.vectors[0]!, this.#vectors.get(passage)!) }))
      .sort((a, b) => b.score - a.score);
    return {
      model: this.#model,
      query,
      hits,
      embeddedPassages: fresh.length,
      passageTokens,
      queryTokens: wanted.tokens,
      elapsedMs: performance.now() - startedAtMs,
    };
  }

  /** Vectors of the passages embedded so far. */
  vectorsOf(passages: readonly string[]): { text: string; embedding: number[] }[] {
    return passages.flatMap((text) => {
      const embedding = this.#vectors.get(text);
      return embedding ? [{ text, embedding }] : [];
    });
  }

  async #embed(input: string | string[], input_type: "query" | "document", signal: AbortSignal) {
    const parameters: EmbeddingParameters = { model: this.#model, input, input_type };
    const { data, usage } = await this.#openai.embeddings.create(parameters, { signal });
    return { vectors: data.map((item) => item.embedding), tokens: usage.prompt_tokens };
  }
}

function namePassage(error: unknown, passages: readonly string[], asked: readonly string[]): unknown {
  const { param } = error as { param?: string | null };
  const [, at] = /^input\[(\d+)\]$/.exec(param ?? "") ?? [];
  const passage = at === undefined ? undefined : asked[Number(at)];
  if (passage === undefined) return error;
  return new PassageError(`Passage ${passages.indexOf(passage) + 1}: ${reasonOf(error)}`);
}

/** Equals the cosine, since the vectors have unit length. */
function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
