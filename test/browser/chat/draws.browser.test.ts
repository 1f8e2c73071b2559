/**
 * Sampling follows the probabilities that `logprobs` reports, for any family of seeds. Fixed seeds make the result
 * deterministic. Each figure is a sum of martingale differences over its standard deviation; 4 is one in 16,000.
 */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

let runtime: Runtime;
let openai: OpenAI;

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
});
afterAll(() => runtime.close());

const model = "infetch-tiny";
const LIMIT = 4;
const range = (count: number, seed: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => seed(at));

const FAMILIES: [name: string, seeds: number[]][] = [
  ["consecutive", range(50, (at) => at)],
  ["negative", range(50, (at) => -1 - at)],
  ["powers of two", range(50, (at) => 2 ** (at + 13))],
  ["multiples of 2^31 - 1", range(50, (at) => (2 ** 31 - 1) * at)],
  ["multiples of 2^32", range(50, (at) => 2 ** 32 * at)],
];

/** Deviation of the likeliest token's frequency from its probability, in standard deviations. */
class Tally {
  #sum = 0;
  #variance = 0;

  add(difference: number, variance: number): void {
    this.#sum += difference;
    this.#variance += variance;
  }

  get deviation(): number {
    return this.#variance === 0 ? 0 : this.#sum / Math.sqrt(this.#variance);
  }
}

/** Per token: 1 if it was the likeliest, else 0, minus that token's probability; and the variance. */
function draws({ logprobs }: OpenAI.CompletionChoice): { difference: number; variance: number }[] {
  return logprobs!.tokens!.map((_, at) => {
    const best = Math.max(...Object.values(logprobs!.top_logprobs![at]!));
    const probability = Math.min(1, Math.exp(best));
    const isLikeliest = logprobs!.token_logprobs![at]! >= best ? 1 : 0;
    return { difference: isLikeliest - probability, variance: probability * (1 - probability) };
  });
}

test.each(FAMILIES)("the first word of a chat follows its probability: %s seeds", async (_, seeds) => {
  // Undefined for a token that is not text: the end of the reply, or the beginning of a thought.
  const drawn: (OpenAI.ChatCompletionTokenLogprob | undefined)[] = [];
  for (const seed of seeds) {
    const reply = await openai.chat.completions.create({
      model,
      // Several first tokens are likely.
      messages: [{ role: "user", content: "Pick a number." }],
      seed,
      max_tokens: 1,
      logprobs: true,
      top_logprobs: 1,
    });
    drawn.push(reply.choices[0]!.logprobs!.content![0]);
  }
  const best = drawn.find((token) => token !== undefined)!.top_logprobs[0]!;
  const probability = Math.exp(best.logprob);
  expect(probability).toBeLessThan(0.99);
  const tally = new Tally();
  for (const token of drawn)
    tally.add((token?.token === best.token ? 1 : 0) - probability, probability * (1 - probability));
  expect(Math.abs(tally.deviation)).toBeLessThan(LIMIT);
});

test.each(FAMILIES)(
  "every draw follows its probability, whatever came before it: %s seeds",
  async (_, seeds) => {
    const LENGTH = 5;
    const single = range(LENGTH, () => 0).map(() => new Tally());
    const pairs = range(LENGTH, () => 0).map(() => range(LENGTH, () => 0).map(() => new Tally()));
    const texts = new Set<string>();
    for (const seed of seeds) {
      const reply = await openai.completions.create({
        model,
        prompt: "The",
        seed,
        max_tokens: LENGTH,
        logprobs: 1,
      });
      texts.add(reply.choices[0]!.text);
      const drawn = draws(reply.choices[0]!);
      for (const [at, { difference, variance }] of drawn.entries()) {
        single[at]!.add(difference, variance);
        for (const [before, one] of drawn.slice(0, at).entries()) {
          pairs[before]![at]!.add(difference * one.difference, variance * one.variance);
        }
      }
    }
    for (const tally of [...single, ...pairs.flat()]) expect(Math.abs(tally.deviation)).toBeLessThan(LIMIT);
    expect(texts.size).toBeGreaterThan(seeds.length / 3);
  },
);

test("choices are drawn independently: of each other, and of the choices of neighbouring seeds", async () => {
  const neighbours = new Tally();
  const replies: string[] = [];
  for (let seed = 0; seed < 20; seed++) {
    const { choices } = await openai.completions.create({
      model,
      prompt: "The",
      seed,
      n: 4,
      max_tokens: 24,
      logprobs: 1,
    });
    replies.push(...choices.map(({ text }) => text));
    const firsts = choices.map((choice) => draws(choice)[0]!);
    for (const [at, { difference, variance }] of firsts.entries()) {
      const before = firsts[at - 1];
      if (before) neighbours.add(difference * before.difference, variance * before.variance);
    }
  }
  expect(Math.abs(neighbours.deviation)).toBeLessThan(LIMIT);
  expect(new Set(replies).size).toBeGreaterThan(75);
});

test("the same request gives the same choices again, and its first one alone", async () => {
  const ask = async (n: number) =>
    (
      await openai.completions.create({ model, prompt: "The", seed: -(2 ** 62), n, max_tokens: 12 })
    ).choices.map(({ text }) => text);
  const three = await ask(3);
  expect(await ask(3)).toEqual(three);
  expect(await ask(1)).toEqual(three.slice(0, 1));
});

test("replies without a seed differ, even those after one with a seed", async () => {
  const texts = new Set<string>();
  for (let at = 0; at < 8; at++) {
    await openai.completions.create({ model, prompt: "The", seed: 1, max_tokens: 1 });
    // At temperature 1 one reply in twelve is the same; at 2, 400 of 400 differed.
    const request = { model, prompt: "The", max_tokens: 12, temperature: 2 };
    texts.add((await openai.completions.create(request)).choices[0]!.text);
  }
  expect(texts.size).toBe(8);
});
