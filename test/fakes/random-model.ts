/** A batch engine on a fake model of bytes, whose next token depends on every token that its KV cache has for a reply. */

import { expect } from "vitest";
import { BatchEngine } from "../../worker/engines/webllm/batch-engine.ts";
import { SequenceCache } from "../../worker/engines/webllm/kv/sequence-cache.ts";
import type { LoadedModel } from "../../worker/engines/webllm/load-model.ts";
import { BatchSize } from "../../worker/engines/webllm/schedule/batch-size.ts";
import type { Feed } from "../../worker/engines/webllm/step/forward.ts";
import type { StepRow, StepRunner } from "../../worker/engines/webllm/step/step-runner.ts";
import { PromptTokens } from "../../worker/engines/webllm/text/prompt-tokens.ts";
import type { GrammarMatcher } from "../../worker/engines/webllm/tvm/pipeline.ts";
import { PagedKvState } from "./paged-kv-state.ts";

const PAGE_SIZE = 16;
const VOCABULARY = 256;
const END = 3;
const FORBIDDEN = -1e30;
/** Both bytes of "é" are apart, so that characters are cut. */
const ALPHABET = [END, ...Buffer.from("ab<|é")];
/** How likely the end is. */
const END_LOGIT = -1;

interface RandomModelOptions {
  context: number;
  /** Pages beyond those of one full context. */
  spare: number;
  width: number;
  /** The model's own stop texts. */
  stopStr: string[];
}

class RandomModel {
  onPass: (at: number) => void = () => {};
  /** Told the random number, and all tokens before the one to draw. */
  onDraw: (uniform: number, tokens: readonly number[]) => void = () => {};
  /** Grammars that were not freed. */
  grammars = 0;
  grammarMatcher: GrammarMatcher | undefined;
  #passes = 0;
  readonly #state: PagedKvState;

  constructor(state: PagedKvState) {
    this.#state = state;
  }

  async feed(feed: Feed): Promise<void> {
    await this.#pass([feed]);
  }

  async sample(rows: readonly StepRow[]): Promise<number[]> {
    expect(rows.length === 1 || rows.every(({ ids }) => ids.length === 1)).toBe(true);
    await this.#pass(rows);
    return Promise.all(rows.map((row) => this.#draw(row)));
  }

  prepareGrammarMatcherForSampling = async ({
    response_format: format,
  }: {
    response_format: { grammar: string };
  }) => {
    const { length, fault } = JSON.parse(format.grammar) as { length: number; fault: string };
    await Promise.resolve();
    if (fault === "prepare") throw new Error("EBNF parser error");
    this.grammars++;
    let accepted = 0;
    this.grammarMatcher = {
      async getNextTokenBitmask() {
        if (fault === "mask" && accepted === 2) throw new Error("no mask");
        const mask = new Int32Array(VOCABULARY / 32);
        for (const id of accepted < length ? [97, 98] : [END]) mask[id >> 5]! |= 1 << (id & 31);
        return mask;
      },
      acceptToken: () => ++accepted !== 3 || fault !== "accept",
      dispose: () => {
        this.grammars--;
      },
    };
  };

  async #pass(rows: readonly Feed[]): Promise<void> {
    for (const { sequence, ids } of rows) this.#state.feed(sequence, ids);
    this.onPass(++this.#passes);
    await Promise.resolve();
  }

  async #draw({ sequence, uniform, mask, process, observe, bias, penalties }: StepRow): Promise<number> {
    const tokens = this.#state.tokensOf(sequence);
    this.onDraw(uniform, tokens);
    const logits = logitsAfter(tokens);
    const allowed = await mask?.();
    if (allowed)
      for (const id of logits.keys()) if (!((allowed[id >> 5]! >> (id & 31)) & 1)) logits[id] = FORBIDDEN;
    observe?.(logits);
    process?.(logits);
    for (const [id, value] of Object.entries(bias ?? {})) logits[Number(id)]! += value;
    for (const [id, count] of penalties?.counts ?? [])
      logits[id]! -= penalties!.presence + count * penalties!.frequency;
    const weights = Array.from(logits, Math.exp);
    let left = uniform * weights.reduce((sum, weight) => sum + weight, 0);
    return weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
  }
}

/** Any change of the tokens changes them. */
function logitsAfter(tokens: readonly number[]): Float32Array {
  let hash = tokens.reduce((sum, token) => (Math.imul(sum, 31) + token + 1) >>> 0, 7);
  const logits = new Float32Array(VOCABULARY).fill(FORBIDDEN);
  for (const id of ALPHABET) {
    hash = (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + id) >>> 0;
    logits[id] = (id === END ? END_LOGIT : 0) + (hash % 1_000) / 400;
  }
  return logits;
}

export function startRandomModel({ context, spare, width, stopStr }: RandomModelOptions) {
  // One page more than the positions take.
  const state = new PagedKvState((Math.ceil(context / PAGE_SIZE) - 1 + spare) * PAGE_SIZE);
  const model = new RandomModel(state);
  const tokenizer = {
    encode: (text: string) => Int32Array.from(Buffer.from(text)),
    decode: (ids: Int32Array) => new TextDecoder().decode(Uint8Array.from(ids)),
    idToToken: (id: number) => String.fromCharCode(id),
  };
  const pipeline = Object.assign(model, {
    tokenizer,
    stopTokens: [END],
    stopStr,
    contextWindowSize: context,
    prefillChunkSize: 32,
  });
  const loaded = {
    pipeline,
    prefix: [1],
    prompts: new PromptTokens(tokenizer),
    tokenForm: "raw",
    info: { contextWindow: context },
  } as unknown as LoadedModel;
  const cache = new SequenceCache(state, { pages: state.availablePages(), pageSize: PAGE_SIZE });
  const engine = new BatchEngine(loaded, model as unknown as StepRunner, cache, new BatchSize(width, false));
  return { engine, cache, model };
}
