import { expect, test } from "vitest";
import { testLibrary } from "../../../../worker/engines/webllm/load/self-test.ts";
import type { StepRow } from "../../../../worker/engines/webllm/step/step-runner.ts";
import { PagedKvState } from "../../../fakes/paged-kv-state.ts";

const VOCABULARY = 997;

/** A model whose logits depend on all tokens of a sequence. */
class Library extends PagedKvState {
  seen = (id: number): readonly number[] => this.tokensOf(id);
  draw = (logits: Float32Array): number => logits.indexOf(Math.max(...logits));

  async sample(rows: readonly StepRow[]): Promise<number[]> {
    const drawn = rows.map((row) => this.#read(row));
    return rows.length > 1 ? this.mix(drawn) : drawn;
  }

  mix = (drawn: number[]): number[] => drawn;

  #read({ sequence, ids, observe }: StepRow): number {
    this.feed(sequence, ids);
    const sum = this.seen(sequence).reduce((all, id) => (all * 31 + id + 1) % VOCABULARY, 0);
    const logits = Float32Array.from({ length: VOCABULARY }, (_, id) => (id === sum ? 5 : 0));
    observe?.(logits);
    return this.draw(logits);
  }
}

const run = (library: Library) => testLibrary({ fullVocabSize: VOCABULARY }, library, library);

test("a library that forks and shortens as documented passes, and holds nothing after it", async () => {
  const library = new Library(640);
  const free = library.availablePages();
  expect(await run(library)).toBe(true);
  expect(library.availablePages()).toBe(free);
});

test("rows that a step mixes up are found: replies then run one after another", async () => {
  const library = new Library(640);
  library.mix = (drawn) => drawn.toReversed();
  expect(await run(library)).toBe(false);
});

test("a fork that loses its parent's tokens is found", async () => {
  const library = new Library(640);
  library.seen = (id) => library.tokensOf(id).slice(id === 1 ? 16 : 0);
  await expect(run(library)).rejects.toThrow("a forked sequence goes on differently");
});

test("tokens that stay after they were removed are found", async () => {
  const library = new Library(640);
  const pop = library.popn.bind(library);
  let popped: readonly number[] = [];
  library.popn = (id, count) => {
    popped = library.tokensOf(id).slice(-count);
    pop(id, count);
  };
  library.seen = (id) => [...(id === 0 ? popped : []), ...library.tokensOf(id)];
  await expect(run(library)).rejects.toThrow("a shortened sequence goes on differently");
});

test("pages that do not add up are found", async () => {
  const library = new Library(640);
  let lost = 0;
  const fork = library.fork.bind(library);
  library.fork = (...numbers) => {
    lost++;
    fork(...numbers);
  };
  const available = library.availablePages.bind(library);
  library.availablePages = () => available() - lost;
  await expect(run(library)).rejects.toThrow("pages do not add up");
});

test("a sampler that does not draw the likeliest token, and logits that are no numbers, are found", async () => {
  const library = new Library(640);
  library.draw = (logits) => (logits.indexOf(Math.max(...logits)) + 1) % VOCABULARY;
  await expect(run(library)).rejects.toThrow("goes on differently");
  const broken = new Library(640);
  broken.seen = () => [Number.NaN];
  broken.draw = () => -1;
  await expect(run(broken)).rejects.toThrow("goes on differently");
});
