/** The batch engine's steps on a real library: many rows as each alone, and any history of the cache as none. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SequenceCache } from "../../../worker/engines/webllm/kv/sequence-cache.ts";
import { chunkOf } from "../../../worker/engines/webllm/step/chunk.ts";
import { type StepRow, StepRunner } from "../../../worker/engines/webllm/step/step-runner.ts";
import { lookUpFunctions } from "../../../worker/engines/webllm/tvm/functions.ts";
import { TvmKvState } from "../../../worker/engines/webllm/tvm/kv-state.ts";
import { type Disposable, type Pipeline, pipelineOf } from "../../../worker/engines/webllm/tvm/pipeline.ts";
import { withScope } from "../../../worker/engines/webllm/tvm/scope.ts";
import { fc, seed } from "../../support/random.ts";
import { TEST_MODELS } from "./support/architectures.ts";
import { largestDifference, TestEngine } from "./support/engine.ts";

const { contextWindow: CONTEXT, prefillChunk: CHUNK, vocab: VOCABULARY } = TEST_MODELS.alpha;
const ROWS = 4;
const REQUESTS = 500;
const tested = new TestEngine(["alpha"]);
let pipeline: Pipeline;
let state: TvmKvState;
let steps: StepRunner;

beforeAll(async () => {
  await tested.engine.reload("alpha");
  pipeline = pipelineOf(tested.engine, "alpha");
  // web-llm's own cache takes one sequence per pass.
  const { tvm, vm, kvCache } = pipeline;
  kvCache?.dispose();
  pipeline.kvCache = withScope(tvm, () => {
    const sizes = [ROWS, CONTEXT, CHUNK, 16, 0].map((size) => tvm.makeShapeTuple([size]));
    return tvm.detachFromCurrentScope(vm.getFunction("create_tir_paged_kv_cache")(...sizes) as Disposable);
  });
  const functions = lookUpFunctions(pipeline);
  state = new TvmKvState(pipeline, functions);
  steps = new StepRunner(pipeline, functions);
});
beforeEach(() => state.clear());
afterAll(() => tested.engine.unload());

const greedy = { temperature: 1e-6, topP: 1, uniform: 0.5 };

test("a row of a step draws what it draws alone, whatever the rows beside it ask for", async () => {
  const observed = new Map<number, Float32Array>();
  const mask = new Int32Array(pipeline.bitmaskSize).fill(0x55555555);
  const rows: StepRow[] = [
    { sequence: 0, ids: [5], temperature: 1, topP: 0.9, uniform: 0.3, bias: { 7: 4, 9: -100 } },
    { sequence: 1, ids: [6], temperature: 0.7, topP: 1, uniform: 0.8, mask: async () => mask },
    { sequence: 2, ids: [7], temperature: 1.3, topP: 0.8, uniform: 0.6, barred: [1, 2, 3, 4] },
    {
      sequence: 3,
      ids: [8],
      temperature: 1,
      topP: 1,
      uniform: 0.1,
      penalties: {
        presence: 1,
        frequency: 0.5,
        counts: new Map([
          [8, 2],
          [60, 1],
        ]),
      },
      process: (logits) => logits.fill(-1e30, 100),
    },
  ];
  const watch = (row: StepRow): StepRow => ({
    ...row,
    observe: (logits) => void observed.set(row.sequence, logits.slice()),
  });
  const begin = async (): Promise<void> => {
    state.clear();
    for (const { sequence } of rows) {
      state.add(sequence);
      await steps.feed({ sequence, ids: [sequence + 1, 20, 30, 40] });
    }
  };
  await begin();
  const alone: number[] = [];
  const expected: Float32Array[] = [];
  for (const row of rows) {
    alone.push(...(await steps.sample([watch(row)])));
    expected.push(observed.get(row.sequence)!);
  }
  await begin();
  expect(await steps.sample(rows.map(watch))).toEqual(alone);
  for (const [row, logits] of expected.entries())
    expect(largestDifference(observed.get(row)!, logits), `row ${row}`).toBe(0);
  await begin();
  expect(await steps.sample([...rows].reverse())).toEqual([...alone].reverse());
});

interface Request {
  scope: string;
  /** It continues the prompt and reply of so many requests ago. */
  base: number;
  fresh: number[];
  replies: number;
  /** Chunks after which it is aborted. */
  abortAfter: number | undefined;
}

const requests = fc.array(
  fc.record<Request>({
    scope: fc.constantFrom("one", "two"),
    base: fc.integer({ min: 1, max: 9 }),
    fresh: fc.array(fc.integer({ min: 5, max: VOCABULARY - 1 }), {
      minLength: 2,
      maxLength: 90,
      size: "max",
    }),
    replies: fc.integer({ min: 1, max: 6 }),
    abortAfter: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4, nil: undefined }),
  }),
  { minLength: REQUESTS, maxLength: REQUESTS },
);

test(`after ${REQUESTS} random prompts, aborts and evictions, replies and pages are those of an empty cache (seed ${seed})`, async () => {
  await fc.assert(fc.asyncProperty(requests, replay), { numRuns: 1, endOnFailure: true });
});

/** Runs the requests on one cache, and compares the first logits of every fourth reply with a fresh sequence's. */
async function replay(list: readonly Request[]): Promise<void> {
  state.clear();
  const total = state.availablePages();
  const cache = new SequenceCache(state, { pages: total, pageSize: 16, maxSequences: 200 });
  const known: number[][] = [[1]];
  let reused = 0;
  for (const [at, { scope, base, fresh, replies, abortAfter }] of list.entries()) {
    const earlier = known.at(-base) ?? [1];
    const prompt = [...earlier.slice(0, CONTEXT - 150), ...fresh];
    const { id, matched } = cache.admit(scope, prompt);
    reused += matched;
    let waiting = prompt.slice(matched);
    const whole = [...prompt];
    let first: Float32Array | undefined;
    for (let chunks = 0; waiting.length > 0; chunks++) {
      if (chunks === abortAfter) break;
      const count = chunkOf(waiting.length, CHUNK);
      if (count < waiting.length) {
        await steps.feed({ sequence: id, ids: waiting.slice(0, count) });
        cache.fed(id, waiting.slice(0, count));
        waiting = waiting.slice(count);
        continue;
      }
      for (let token = 0; token < replies && cache.reserve(id, waiting.length); token++) {
        let logits = new Float32Array();
        const observe = (all: Float32Array): void => {
          logits = all.slice();
        };
        const [next = 0] = await steps.sample([{ ...greedy, sequence: id, ids: waiting, observe }]);
        cache.fed(id, waiting);
        first ??= logits;
        whole.push(next);
        waiting = [next];
      }
      break;
    }
    cache.retain(id);
    known.push(whole);
    if (first && at % 4 === 0)
      expect(largestDifference(first, await fromNothing(prompt, cache))).toBeLessThan(1e-3);
    const { free, retained, active } = cache.pages;
    expect([free + retained, active, state.availablePages()]).toEqual([total, 0, free]);
  }
  expect(reused).toBeGreaterThan(1000);
  cache.clear();
  expect(state.availablePages()).toBe(total);
}

/** Logits after a prompt on a new sequence, which is gone afterwards. */
async function fromNothing(prompt: readonly number[], cache: SequenceCache): Promise<Float32Array> {
  const { id } = cache.admit("none", prompt);
  let waiting = [...prompt];
  let logits = new Float32Array();
  for (let count = 0; waiting.length > 0; waiting = waiting.slice(count)) {
    count = chunkOf(waiting.length, CHUNK);
    const ids = waiting.slice(0, count);
    const observe = (all: Float32Array): void => {
      logits = all.slice();
    };
    if (count < waiting.length) await steps.feed({ sequence: id, ids });
    else await steps.sample([{ ...greedy, sequence: id, ids, observe }]);
    cache.fed(id, ids);
  }
  cache.drop(id);
  return logits;
}
