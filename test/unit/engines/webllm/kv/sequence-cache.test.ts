import { beforeEach, describe, expect, test } from "vitest";
import { OutOfPages } from "../../../../../worker/engines/webllm/kv/sequence.ts";
import { SequenceCache } from "../../../../../worker/engines/webllm/kv/sequence-cache.ts";
import { PagedKvState } from "../../../../fakes/paged-kv-state.ts";

const PAGES = 33;
let state: PagedKvState;
let cache: SequenceCache;

beforeEach(() => open());

function open(config: { maxSequences?: number; forksFreely?: boolean } = {}): void {
  state = new PagedKvState((PAGES - 1) * 16);
  cache = new SequenceCache(state, { pages: PAGES, pageSize: 16, ...config });
}

/** So many tokens that begin with these. */
const tokens = (length: number, first = 1): number[] => Array.from({ length }, (_, at) => first * 1000 + at);

/** Feeds all that a prompt needs, and then a reply. */
function run(
  scope: string,
  prompt: readonly number[],
  reply: readonly number[] = [],
): { id: number; matched: number } {
  const { id, matched } = cache.admit(scope, prompt);
  feed(id, prompt.slice(matched));
  expect(cache.reserve(id, reply.length)).toBe(true);
  feed(id, reply);
  return { id, matched };
}

function feed(id: number, fed: readonly number[]): void {
  state.feed(id, fed);
  cache.fed(id, fed);
  cache.verify();
}

/** A whole turn; how many tokens it reused. */
function turn(scope: string, prompt: readonly number[], reply: readonly number[] = []): number {
  const { id, matched } = run(scope, prompt, reply);
  cache.retain(id);
  cache.verify();
  return matched;
}

describe("reuse", () => {
  test("a conversation that goes on continues in its sequence", () => {
    turn("a", tokens(100), tokens(20, 2));
    const next = [...tokens(100), ...tokens(20, 2), ...tokens(10, 3)];
    expect(turn("a", next)).toBe(120);
    expect(state.log).toEqual(["add"]);
  });

  test("at least two tokens are left to feed", () => {
    turn("a", tokens(100));
    expect(turn("a", tokens(100))).toBe(98);
    expect(turn("a", tokens(99))).toBe(97);
  });

  test("a prompt of one token reuses nothing", () => {
    turn("a", tokens(100));
    expect(turn("a", tokens(1))).toBe(0);
  });

  test("a reply that was not wanted is cut off where it is short", () => {
    turn("a", tokens(100), tokens(8, 2));
    expect(turn("a", [...tokens(100), ...tokens(30, 3)])).toBe(100);
    expect(state.log).toEqual(["add", "popn 8"]);
  });

  test("another prompt with the same long beginning forks it between two pages", () => {
    turn("a", [...tokens(100), ...tokens(60, 2)]);
    expect(turn("a", [...tokens(100), ...tokens(60, 3)])).toBe(96);
    expect(turn("a", [...tokens(100), ...tokens(60, 2), ...tokens(5, 4)])).toBe(160);
    expect(state.log).toEqual(["add", "fork 96"]);
  });

  test("a beginning too short for a fork is fed again", () => {
    turn("a", [...tokens(63), ...tokens(60, 2)]);
    expect(turn("a", [...tokens(63), ...tokens(60, 3)])).toBe(0);
  });

  test("a running sequence is forked", () => {
    run("a", tokens(100));
    expect(turn("a", tokens(120))).toBe(96);
    expect(cache.tokens).toEqual({ active: 100, retained: 120 });
  });

  test("a sequence that runs begins to be reused while its prompt is still fed", () => {
    const { id } = cache.admit("a", tokens(200));
    feed(id, tokens(80));
    expect(cache.admit("a", tokens(200)).matched).toBe(80);
  });

  test("where a fork costs later steps, up to a tenth of a sequence is given up instead", () => {
    turn("a", [...tokens(200), ...tokens(20, 2)]);
    expect(turn("a", [...tokens(200), ...tokens(20, 3)])).toBe(200);
    expect(state.log).toEqual(["add", "popn 20"]);
  });

  test("where it costs nothing, only what would not fill a page is given up", () => {
    open({ forksFreely: true });
    turn("a", [...tokens(200), ...tokens(20, 2)]);
    expect(turn("a", [...tokens(200), ...tokens(20, 3)])).toBe(192);
    expect(turn("a", [...tokens(200), ...tokens(20, 2)])).toBe(218);
  });

  test("a cut never ends inside a page of others", () => {
    open({ forksFreely: true });
    turn("a", [...tokens(128), ...tokens(64, 2)]);
    turn("a", [...tokens(128), ...tokens(64, 3)]);
    run("b", tokens(272, 9));
    expect(turn("a", [...tokens(72), ...tokens(60, 4)])).toBe(64);
    expect(state.log).toEqual(["add", "fork 128", "add", "popn 128", "remove"]);
  });
});

describe("scopes", () => {
  test("reuse nothing of each other", () => {
    turn("a", tokens(200));
    expect(turn("b", tokens(200))).toBe(0);
    expect(turn("a", tokens(200))).toBe(198);
  });
});

describe("pages", () => {
  test("are free, of idle sequences, or of running ones with what is reserved for them", () => {
    turn("a", tokens(40));
    const { id } = cache.admit("b", tokens(100));
    expect(cache.pages).toEqual({ free: PAGES - 10, retained: 3, active: 7 });
    cache.reserve(id, 130);
    expect(cache.pages).toEqual({ free: PAGES - 12, retained: 3, active: 9 });
    cache.drop(id);
    expect(cache.pages).toEqual({ free: PAGES - 3, retained: 3, active: 0 });
  });

  test("the sequence used longest ago is evicted first, and only if pages lack", () => {
    turn("a", tokens(160, 1));
    turn("a", tokens(160, 2));
    turn("a", tokens(160, 3));
    turn("a", tokens(170, 1));
    turn("a", tokens(100, 4));
    expect(turn("a", tokens(170, 1))).toBe(168);
    expect(turn("a", tokens(160, 3))).toBe(158);
    expect(turn("a", tokens(160, 2))).toBe(0);
  });

  test("a running sequence is never evicted", () => {
    const { id } = run("a", tokens(300));
    turn("b", tokens(200, 2));
    expect(cache.reserve(id, 229)).toBe(false);
    expect(cache.reserve(id, 228)).toBe(true);
    expect(state.log).toEqual(["add", "add", "remove"]);
    expect(cache.tokens).toEqual({ active: 300, retained: 0 });
  });

  test("a prompt without room is refused, and nothing is lost", () => {
    run("a", tokens(300));
    turn("a", tokens(200, 2));
    const before = cache.pages;
    expect(() => cache.admit("b", tokens(300, 3))).toThrow(OutOfPages);
    expect(cache.pages).toEqual(before);
    expect(turn("a", tokens(200, 2))).toBe(198);
  });

  test("an idle sequence is taken over where a fork would evict it", () => {
    turn("a", [...tokens(160), ...tokens(160, 2)]);
    expect(turn("a", [...tokens(160), ...tokens(240, 3)])).toBe(160);
    expect(state.log).toEqual(["add", "popn 160"]);
  });

  test("a sequence that another one contains is not kept", () => {
    const first = run("a", tokens(100));
    turn("a", tokens(120));
    cache.retain(first.id);
    expect(cache.tokens).toEqual({ active: 0, retained: 120 });
  });

  test("one that was fed nothing leaves nothing behind", () => {
    cache.retain(cache.admit("a", tokens(50)).id);
    expect(cache.pages.free).toBe(PAGES);
  });

  test("the library's limit of sequences is kept", () => {
    open({ maxSequences: 2 });
    turn("a", tokens(20, 1));
    turn("a", tokens(20, 2));
    run("a", tokens(20, 3));
    expect(turn("a", tokens(20, 2))).toBe(18);
    run("a", tokens(20, 4));
    expect(() => cache.admit("a", tokens(20, 5))).toThrow(OutOfPages);
  });

  test("tokens that nothing was reserved for are an error, as is a library that counts otherwise", () => {
    const { id } = run("a", tokens(20));
    expect(() => cache.fed(id, tokens(20))).toThrow("no page reserved");
    state.add(99);
    state.feed(99, [1]);
    expect(() => cache.verify()).toThrow("free pages");
  });
});

test("where the library counts other pages, all sequences end; pages that never come back are an error", () => {
  const state = new PagedKvState(640);
  const cache = new SequenceCache(state, { pages: state.availablePages(), pageSize: 16 });
  const available = state.availablePages.bind(state);
  const { id } = cache.admit("", [1, 2, 3]);
  state.feed(id, [1, 2, 3]);
  cache.fed(id, [1, 2, 3]);
  cache.retain(id);
  cache.settle();
  expect(cache.tokens.retained).toBe(3);
  state.availablePages = () => available() - (state.has(id) ? 1 : 0);
  cache.settle();
  expect(cache.tokens.retained).toBe(0);
  state.availablePages = () => available() - 1;
  expect(() => cache.settle()).toThrow("free pages");
});
