/** Random operations on the sequences of a KV cache, with what they must do to its pages. */
import { expect } from "vitest";
import { fc } from "../../../support/random.ts";
import type { Feed } from "./library-driver.ts";
import { PageModel } from "./page-model.ts";

export const OPERATIONS = 500;
/** 17 pages for up to 12 sequences of up to 256 tokens: full again and again. */
export const SIZE = { sequences: 8, positions: 256, chunk: 48 };
const IDS = 12;
const FULL = /KV cache is full/;
const KINDS = ["add", "prefill", "decode", "fork", "popn", "remove", "refused"];

/** A cache of this size, whose functions throw what the library says. */
export interface Pages {
  clear(): void;
  add(id: number): void;
  remove(id: number): void;
  fork(parent: number, child: number, position: number): void;
  popn(id: number, count: number): void;
  begin(feeds: readonly Feed[]): void;
  prefill(feeds: readonly Feed[]): Promise<unknown>;
  decode(feeds: readonly Feed[]): Promise<unknown>;
  freePages(): number;
  totalLength(): number;
}

/** Numbers that pick an operation and its parameters, whatever the state is. */
const operation = fc.record({
  kind: fc.constantFrom("add", "prefill", "prefill", "decode", "fork", "popn", "remove"),
  which: fc.nat(),
  other: fc.nat(),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  tokens: fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 24 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

export const operations = fc.array(operation, {
  minLength: OPERATIONS,
  maxLength: OPERATIONS,
  size: "max",
});

/** Applies the operations, counts pages after each, and returns what is left; each kind has happened often. */
export async function applyAll(driver: Pages, list: readonly Operation[]): Promise<PageModel> {
  const model = new PageModel(SIZE.positions);
  const done = new Map<string, number>();
  driver.clear();
  for (const one of list) {
    await apply(driver, model, one, done);
    expect([one, driver.freePages(), driver.totalLength()]).toEqual([one, model.free, model.totalLength]);
  }
  for (const kind of KINDS) expect([kind, (done.get(kind) ?? 0) >= 10]).toEqual([kind, true]);
  return model;
}

async function apply(
  driver: Pages,
  model: PageModel,
  { kind, which, other, fraction, tokens }: Operation,
  done: Map<string, number>,
): Promise<void> {
  const count = (what: string) => done.set(what, (done.get(what) ?? 0) + 1);
  const attempt = (isPossible: boolean, act: () => void, note: () => void) => {
    if (isPossible) {
      act();
      note();
      count(kind);
    } else {
      expect(act).toThrow(FULL);
      count("refused");
    }
  };
  const ids = [...model.sequences.keys()];
  const free = Array.from({ length: IDS }, (_, id) => id).find((id) => !model.sequences.has(id));
  const id = ids[which % ids.length];
  if (id === undefined || kind === "add") {
    if (free === undefined) return;
    driver.add(free);
    model.add(free);
    count("add");
    return;
  }
  const { length } = model.sequences.get(id)!.tokens;
  if (kind === "remove") {
    driver.remove(id);
    model.remove(id);
    count(kind);
  } else if (kind === "fork") {
    if (free === undefined) return;
    const position = Math.round(fraction * length);
    const act = () => driver.fork(id, free, position);
    attempt(model.canFork(position), act, () => model.fork(id, free, position));
  } else if (kind === "popn") {
    const removed = Math.round(fraction * fraction * length);
    const act = () => driver.popn(id, removed);
    attempt(model.canPop(id, removed), act, () => model.pop(id, removed));
  } else {
    const members = kind === "prefill" ? new Set([id, ids[other % ids.length]!]) : new Set([id, ...ids]);
    const feeds: Feed[] = [...members]
      .slice(0, SIZE.sequences)
      .map((one, i) => ({ id: one, tokens: kind === "prefill" ? tokens : [tokens[i % tokens.length]!] }))
      .filter((one) => model.sequences.get(one.id)!.tokens.length + one.tokens.length <= SIZE.positions);
    if (!feeds.length) return;
    if (model.needed(feeds) > model.free)
      return attempt(
        false,
        () => driver.begin(feeds),
        () => {},
      );
    await (kind === "prefill" ? driver.prefill(feeds) : driver.decode(feeds));
    for (const feed of feeds) model.feed(feed.id, feed.tokens);
    count(kind);
  }
}
