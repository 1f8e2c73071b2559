/** Tokenizes the inputs of an embedding request. */

import { abortable } from "../../../src/shared/abortable.ts";
import type { EmbeddingEngine, EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { CONCURRENT_RETRIES, retryOnLoss } from "../../engine-api/engine-error.ts";
import type { EmbeddingService, EmbeddingTokens } from "./embedding-service.ts";

/** A text, or its tokens without special tokens. */
export type EmbeddingInput = string | readonly number[];

/** With the loaded model's info, so that they can be counted before a run. */
export interface PreparedInputs extends EmbeddingTokens {
  info: EmbeddingModelInfo;
}

interface PrepareOptions {
  inputs: readonly EmbeddingInput[];
  /** Selects the prefix; one of {@link prefixesBy}. */
  use: string;
  /** Validates the inputs before tokenization; may throw. */
  check: (info: EmbeddingModelInfo) => void;
}

/**
 * Tokenizes every input, with prefix and special tokens and without truncation. Retries if the engine is lost.
 *
 * @throws {EngineError}
 * @throws the signal's reason if it aborts first
 */
export function prepareInputs(
  service: Pick<EmbeddingService, "use">,
  model: EmbeddingModel,
  { inputs, use, check }: PrepareOptions,
  signal: AbortSignal,
): Promise<PreparedInputs> {
  const prepare = () =>
    service.use(model, signal, async (engine) => {
      check(engine.info);
      const { info } = engine;
      const tokens = await abortable(tokensOf(engine, inputs, use), signal);
      return { info, tokens, task: info.tasks?.[use] };
    });
  return retryOnLoss(prepare, { retries: CONCURRENT_RETRIES });
}

/** Prefixes by use. */
export function prefixesBy({ prefixes, prompts }: EmbeddingModelInfo): ReadonlyMap<string, string> {
  return new Map([...Object.entries(prefixes), ...Object.entries(prompts ?? {})]);
}

async function tokensOf(
  engine: EmbeddingEngine,
  inputs: readonly EmbeddingInput[],
  use: string,
): Promise<readonly (readonly number[])[]> {
  const prefix = prefixesBy(engine.info).get(use) ?? "";
  const texts = inputs.filter((input) => typeof input === "string").map((text) => prefix + text);
  const ofTexts = (await engine.tokenize(texts, true)).values();
  if (texts.length === inputs.length) return [...ofTexts];
  const frame = await framing(engine);
  return inputs.map((input) => (typeof input === "string" ? ofTexts.next().value! : frame(input)));
}

/** Returns a function that adds the model's special tokens around given tokens. */
async function framing(engine: EmbeddingEngine): Promise<(tokens: readonly number[]) => readonly number[]> {
  const [[bare], [framed]] = await Promise.all([engine.tokenize(["a"], false), engine.tokenize(["a"], true)]);
  const start = framed!.indexOf(bare![0]!);
  const before = framed!.slice(0, start);
  const after = framed!.slice(start + bare!.length);
  return (tokens) => [...before, ...tokens, ...after];
}
