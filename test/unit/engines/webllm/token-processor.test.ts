import { expect, test } from "vitest";
import type { Sampling } from "../../../../worker/engine-api/chat-engine.ts";
import { TokenProcessor } from "../../../../worker/engines/webllm/token-processor.ts";
import { neutralSampling as neutral } from "../../../support/neutral-sampling.ts";
import { fc } from "../../../support/random.ts";

const possible = (logits: Float32Array): number[] =>
  Array.from(logits.keys()).filter((id) => logits[id]! > -1e30);
const logitsOf = fc.array(fc.float({ min: -20, max: 20, noNaN: true }), { minLength: 1, maxLength: 60 });

test("top_k leaves exactly the k likeliest, the first of equal ones", () => {
  fc.assert(
    fc.property(logitsOf, fc.integer({ min: 1, max: 70 }), (values, topK) => {
      const left = possible(
        new TokenProcessor({ ...neutral, topK }, undefined).processLogits(Float32Array.from(values)),
      );
      const ranked = Array.from(Float32Array.from(values), (value, id) => ({ value, id }));
      ranked.sort((a, b) => b.value - a.value || a.id - b.id);
      const expected = ranked.slice(0, topK).map(({ id }) => id);
      expect(left).toEqual(expected.sort((a, b) => a - b));
    }),
  );
});

test("a large top_k leaves exactly that many of a large vocabulary", () => {
  // The worst order for a list that is kept sorted.
  const logits = Float32Array.from({ length: 150_000 }, (_, id) => id / 10_000);
  const left = new TokenProcessor({ ...neutral, topK: 50_000 }, undefined).processLogits(logits);
  expect(possible(left)).toHaveLength(50_000);
  expect(left[100_000]).toBe(10);
});

test.each([256, 1_000, 1_025])("top_k %i leaves the likeliest of a vocabulary", (topK) => {
  const logits = Float32Array.from({ length: 5_000 }, (_, id) => Math.fround(Math.sin(id * id)));
  const floor = logits.slice().sort()[logits.length - topK]!;
  const left = possible(new TokenProcessor({ ...neutral, topK }, undefined).processLogits(logits.slice()));
  expect(left).toHaveLength(topK);
  expect(left.every((id) => logits[id]! >= floor)).toBe(true);
});

test("min_p leaves what is at least that likely, relative to the likeliest, after the temperature", () => {
  fc.assert(
    fc.property(
      logitsOf,
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      fc.constantFrom(0.5, 1, 2),
      (values, minP, temperature) => {
        const logits = Float32Array.from(values);
        const left = possible(
          new TokenProcessor({ ...neutral, minP, temperature }, undefined).processLogits(logits.slice()),
        );
        const max = Math.max(...logits);
        for (const id of logits.keys()) {
          const relative = Math.exp((logits[id]! - max) / temperature);
          if (relative > minP * 1.0001) expect(left).toContain(id);
          if (relative < minP * 0.9999) expect(left).not.toContain(id);
        }
      },
    ),
  );
});

test("bias and penalties count before the cut: the repetition penalty first, as in vLLM", () => {
  const sampling = {
    ...neutral,
    topK: 1,
    logitBias: { 2: 10 },
    presencePenalty: 1,
    frequencyPenalty: 0.5,
    repetitionPenalty: 2,
  };
  const processor = new TokenProcessor(sampling, undefined);
  expect(possible(processor.processLogits(Float32Array.of(3, 2, 0)))).toEqual([2]);
  processor.processSampledToken(2);
  processor.processSampledToken(2);
  // 10 / 2 - 1 - 2 * 0.5 = 3, which is between 2.9 and 3.1.
  expect(possible(processor.processLogits(Float32Array.of(2.9, 2, 0)))).toEqual([2]);
  expect(possible(processor.processLogits(Float32Array.of(3.1, 2, 0)))).toEqual([0]);
});

test("the repetition penalty counts prompt and reply, the others the reply alone", () => {
  const adjusted = (more: Partial<Sampling>, reply: number[] = []): number[] => {
    const processor = new TokenProcessor({ ...neutral, minP: 1e-30, ...more }, undefined, [0, 0, 1]);
    for (const id of reply) processor.processSampledToken(id);
    return Array.from(processor.processLogits(Float32Array.of(4, -4, 4, -4)));
  };
  expect(adjusted({ repetitionPenalty: 2 })).toEqual([2, -8, 4, -4]);
  expect(adjusted({ repetitionPenalty: 2 }, [2, 2, 0])).toEqual([2, -8, 2, -4]);
  expect(adjusted({ presencePenalty: 1, frequencyPenalty: 0.5 })).toEqual([4, -4, 4, -4]);
  expect(adjusted({ presencePenalty: 1, frequencyPenalty: 0.5 }, [2, 2, 0])).toEqual([2.5, -4, 2, -4]);
});

test("log probabilities are of the model's own distribution and sum to one", () => {
  fc.assert(
    fc.property(logitsOf, fc.nat(), fc.integer({ min: 0, max: 20 }), (values, pick, top) => {
      const processor = new TokenProcessor({ ...neutral, topK: 1 }, top);
      const logits = Float32Array.from(values);
      const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
      processor.processLogits(logits.slice());
      processor.processSampledToken(pick % values.length);
      const [token] = processor.take();
      expect(token?.logprob).toBeCloseTo(Math.log(Math.exp(logits[pick % values.length]!) / total), 4);
      expect(token?.top).toHaveLength(Math.min(top, values.length));
      const scores = token!.top.map((one) => one.logprob);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(processor.take()).toEqual([]);
    }),
  );
});
