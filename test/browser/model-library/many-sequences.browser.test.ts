/** Many sequences in one KV cache: forward passes, forks, removals, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SEEDS, TEST_MODELS } from "./support/architectures.ts";
import { largestDifference, TestEngine } from "./support/engine.ts";
import { type Feed, LibraryDriver } from "./support/library-driver.ts";
import { ReferenceModel } from "./support/reference-model.ts";
import { makeWeights } from "./support/weights.ts";

const PAGE_SIZE = 16;
/** 41 pages. */
const SIZE = { sequences: 8, positions: 640, chunk: 48 };
const tested = new TestEngine(["alpha"]);
const reference = new ReferenceModel(TEST_MODELS.alpha, makeWeights(TEST_MODELS.alpha, SEEDS.alpha));
let library: LibraryDriver;

beforeAll(async () => {
  await tested.engine.reload("alpha");
  library = new LibraryDriver(tested, "alpha", SIZE);
});
beforeEach(() => library.clear());
afterAll(() => tested.engine.unload());

const tokensOf = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (seed * 31 + i * 17 + ((i * i) % 7)) % 256);

/** Feeds a whole sequence, chunk by chunk; the logits of its last token. */
async function feed(id: number, tokens: readonly number[]): Promise<Float32Array> {
  let last: Float32Array[] = [];
  for (let at = 0; at < tokens.length; at += SIZE.chunk)
    last = await library.prefill([{ id, tokens: tokens.slice(at, at + SIZE.chunk) }]);
  return last[0]!;
}

function expectNear(rows: readonly Float32Array[], expected: readonly Float64Array[]): void {
  expect(rows.length).toBe(expected.length);
  for (const [i, row] of rows.entries()) expect(largestDifference(row, expected[i]!)).toBeLessThan(1e-3);
}

describe("batch_decode", () => {
  test("rows are the same bits alone and in company, at widths 1 to 8, as from decode", async () => {
    const lengths = [1, 15, 16, 17, 40, 90, 3, 31];
    const prompts = lengths.map((length, i) => tokensOf(i, length));
    const steps = [0, 1, 2].map((step) => prompts.map((_, i) => (step * 50 + i * 9) % 256));
    const alone: Float32Array[][] = [];
    for (const [id, tokens] of prompts.entries()) {
      library.add(id);
      await feed(id, tokens);
      const rows: Float32Array[] = [];
      for (const step of steps) rows.push(await library.single({ id, tokens: [step[id]!] }));
      alone.push(rows);
      library.remove(id);
      expectNear([rows[2]!], reference.logits([...tokens, ...steps.map((s) => s[id]!)], tokens.length + 2));
    }
    const order = [7, 6, 5, 4, 3, 0, 1, 2];
    for (let width = 1; width <= 8; width++) {
      const members = order.slice(-width);
      library.clear();
      for (const id of members) library.add(id);
      for (const id of members) await feed(id, prompts[id]!);
      for (const [step, tokens] of steps.entries()) {
        const rows = await library.decode(members.map((id) => ({ id, tokens: [tokens[id]!] })));
        for (const [i, id] of members.entries()) expect(rows[i]).toEqual(alone[id]![step]);
      }
    }
  });
});

describe("batch_prefill", () => {
  test("several sequences in one pass: the bits of each alone, at any positions, however it is cut", async () => {
    const prompts = [tokensOf(1, 20), tokensOf(2, 1), tokensOf(3, 27)];
    for (const id of [0, 1, 2, 10, 11, 12]) library.add(id);
    const alone: Float32Array[] = [];
    for (const [i, tokens] of prompts.entries()) {
      const rows = await library.prefill(
        [{ id: 10 + i, tokens }],
        tokens.map((_, at) => at),
      );
      expectNear(rows, reference.logits(tokens));
      alone.push(...rows);
    }
    const wanted = [47, 0, 19, 20, 21, 33, 0];
    const feeds = prompts.map((tokens, id) => ({ id, tokens }));
    const together = await library.prefill(feeds, wanted);
    expect(together).toEqual(wanted.map((at) => alone[at]));

    library.add(20);
    const last = prompts[2]!;
    for (const [from, to] of [
      [0, 5],
      [5, 6],
      [6, 26],
    ] as const)
      await library.prefill([{ id: 20, tokens: last.slice(from, to) }]);
    expect(await library.prefill([{ id: 20, tokens: last.slice(26) }])).toEqual([alone[47]]);
  });
});

describe("fork and popn", () => {
  test.each([0, 7, PAGE_SIZE, PAGE_SIZE + 1, 2 * PAGE_SIZE, 40])(
    "a fork at %i of 40 goes on as if it had been fed alone, and so does its parent",
    async (at) => {
      const prompt = tokensOf(5, 40);
      const [ofParent, ofChild] = [tokensOf(6, 20), tokensOf(7, 20)];
      library.add(1);
      await feed(1, prompt);
      const free = library.freePages();
      library.fork(1, 2, at === 40 ? -1 : at);
      expect(library.freePages()).toBe(free - (at % PAGE_SIZE ? 1 : 0));
      expect(library.lengthOf(2)).toBe(at);
      const [parent, child] = await library.prefill([
        { id: 1, tokens: ofParent },
        { id: 2, tokens: ofChild },
      ]);
      library.add(3);
      expect(child).toEqual(await feed(3, [...prompt.slice(0, at), ...ofChild]));
      library.remove(3);
      library.add(3);
      expect(parent).toEqual(await feed(3, [...prompt, ...ofParent]));
    },
  );

  test.each([1, 8, 9, 20, 24, 39, 40])(
    "after popn of %i of 40, shared pages included, both sequences go on unharmed",
    async (count) => {
      const prompt = tokensOf(8, 40);
      const more = tokensOf(9, 6);
      library.add(1);
      await feed(1, prompt);
      library.fork(1, 2, -1);
      library.popn(1, count);
      const [popped, other] = await library.prefill([
        { id: 1, tokens: more },
        { id: 2, tokens: more },
      ]);
      library.add(3);
      expect(popped).toEqual(await feed(3, [...prompt.slice(0, 40 - count), ...more]));
      library.remove(3);
      library.add(3);
      expect(other).toEqual(await feed(3, [...prompt, ...more]));
    },
  );
});

describe("refusals", () => {
  const pass = (feeds: [number, number][]): Feed[] =>
    feeds.map(([id, length]) => ({ id, tokens: tokensOf(1, length) }));

  test.each<[string, () => void, RegExp]>([
    ["an id twice", () => library.add(1), /there is a sequence already with id 1/],
    ["a negative id", () => library.add(-4), /0 or more, got -4/],
    ["removing an unknown id", () => library.remove(9), /no sequence has the id 9/],
    ["a fork of an unknown id", () => library.fork(9, 3, 0), /no sequence has the id 9/],
    ["a fork to an id in use", () => library.fork(1, 2, 5), /there is a sequence already with id 2/],
    ["a fork beyond the end", () => library.fork(1, 3, 41), /-1 to 40, .* got 41/],
    ["popping too many", () => library.popn(1, 41), /0 to 40 tokens can be removed .* got 41/],
    [
      "a pass of an unknown id",
      () =>
        library.begin(
          pass([
            [1, 1],
            [9, 1],
          ]),
        ),
      /no sequence has the id 9/,
    ],
    [
      "a pass that names an id twice",
      () =>
        library.begin(
          pass([
            [1, 1],
            [1, 1],
          ]),
        ),
      /twice .* id 1/,
    ],
    ["a pass of no sequence", () => library.begin([]), /1 to 8 sequences, got 0/],
    ["a pass of no tokens", () => library.begin(pass([[1, 0]])), /1 to 48 tokens, got 0/],
    [
      "more tokens than a chunk",
      () =>
        library.begin(
          pass([
            [1, 30],
            [2, 19],
          ]),
        ),
      /1 to 48 tokens, got 49/,
    ],
    ["an end without a pass", () => library.end(), /no forward pass has begun/],
  ])("%s ends in words and changes nothing", (_, act, message) => {
    library.add(1);
    library.begin(pass([[1, 40]]));
    library.end();
    library.add(2);
    const state = () => [
      library.freePages(),
      library.totalLength(),
      library.lengthOf(1),
      library.lengthOf(2),
    ];
    const before = state();
    expect(act).toThrow(message);
    expect(state()).toEqual(before);
  });

  test("more sequences than a pass takes, than the cache holds, than the context takes", () => {
    for (let id = 0; id < 256; id++) library.add(id);
    expect(() => library.add(256)).toThrow(/holds its most sequences, 256/);
    expect(() => library.begin(pass(Array.from({ length: 9 }, (_, id) => [id, 1])))).toThrow(
      /1 to 8 sequences, got 9/,
    );
    const small = new LibraryDriver(tested, "alpha", { ...SIZE, positions: 40 });
    small.add(0);
    small.begin(pass([[0, 40]]));
    small.end();
    expect(() => small.begin(pass([[0, 1]]))).toThrow(/context window of 40 tokens is full: 40 are filled/);
  });

  test("a full pool refuses passes, forks and popns before it changes, and goes on when pages are free", async () => {
    const small = new LibraryDriver(tested, "alpha", { ...SIZE, positions: 64 });
    expect(small.freePages()).toBe(5);
    const fill = (feeds: [number, number][]) => {
      small.begin(pass(feeds));
      small.end();
    };
    for (const id of [1, 2, 3]) small.add(id);
    fill([
      [1, 33],
      [2, 10],
    ]);
    small.fork(1, 4, 32);
    expect(() =>
      small.begin(
        pass([
          [3, 16],
          [2, 7],
        ]),
      ),
    ).toThrow(/KV cache is full: 2 pages are needed, 1 of 5 are free/);
    expect([small.freePages(), small.lengthOf(2), small.lengthOf(3)]).toEqual([1, 10, 0]);
    fill([[3, 16]]);
    expect(() => small.fork(1, 5, 20)).toThrow(/KV cache is full: 1 page is needed, 0 of 5 are free/);
    expect(() => small.lengthOf(5)).toThrow(/no sequence has the id 5/);
    expect(() => small.popn(4, 3)).toThrow(/KV cache is full/);
    expect([small.freePages(), small.lengthOf(4)]).toEqual([0, 32]);
    // The page that the parent gives up is enough for its own copy.
    small.popn(1, 5);
    expect([small.freePages(), small.lengthOf(1)]).toEqual([0, 28]);
    small.remove(3);
    expect(small.freePages()).toBe(1);
  });

  test("a pass that failed is given up by the next call, and its pages with it", async () => {
    library.add(1);
    const free = library.freePages();
    library.begin(pass([[1, 33]]));
    expect(library.freePages()).toBe(free - 3);
    await expect(library.decode(pass([[1, 2]]))).rejects.toThrow(
      /one token of each sequence \(1\), got 2|embeddings/,
    );
    library.popn(1, 0);
    expect([library.freePages(), library.lengthOf(1)]).toEqual([free, 0]);
    expectNear([await feed(1, tokensOf(3, 20))], reference.logits(tokensOf(3, 20), 19));
  });
});
