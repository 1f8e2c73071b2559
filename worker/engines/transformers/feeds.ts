/** What a network takes for a batch of token lists. */

import { Tensor } from "@huggingface/transformers";

import { TASK_INPUT } from "./modules/tasks.ts";

type TokenLists = readonly (readonly number[])[];

/** All tokens in one list, and where each text begins. */
export function flatFeeds(texts: TokenLists): Record<string, Tensor> {
  const ids = BigInt64Array.from(texts.flat(), BigInt);
  let at = 0;
  const offsets = BigInt64Array.from(texts, ({ length }) => {
    const offset = BigInt(at);
    at += length;
    return offset;
  });
  return {
    input_ids: new Tensor("int64", ids, [ids.length]),
    offsets: new Tensor("int64", offsets, [offsets.length]),
  };
}

/** Rows of one length, padded on the right. @param padding the token's id */
export function paddedFeeds(texts: TokenLists, padding: bigint): Record<string, Tensor> {
  const longest = Math.max(1, ...texts.map(({ length }) => length));
  const ids = new BigInt64Array(texts.length * longest).fill(padding);
  const mask = new BigInt64Array(texts.length * longest);
  for (const [row, tokens] of texts.entries()) {
    for (const [at, token] of tokens.entries()) ids[row * longest + at] = BigInt(token);
    mask.fill(1n, row * longest, row * longest + tokens.length);
  }
  const shape = [texts.length, longest];
  return { input_ids: new Tensor("int64", ids, shape), attention_mask: new Tensor("int64", mask, shape) };
}

/** The number of an adapter, which is that of all texts. */
export function taskFeed(task: number | undefined): Record<string, Tensor> {
  return task === undefined ? {} : { [TASK_INPUT]: new Tensor("int64", BigInt64Array.of(BigInt(task)), []) };
}
