import { expect, test } from "vitest";
import { PagedKvState } from "../../../../fakes/paged-kv-state.ts";
import { fc } from "../../../../support/random.ts";
import { RandomRequests, requests } from "../../../../support/random-prompts.ts";

const SIZE = [
  { name: "page tables", config: { forksFreely: true } },
  { name: "TVM's blocks", config: {} },
  { name: "at most six sequences", config: { maxSequences: 6, forksFreely: true } },
];

/** 25 pages for sequences of up to 192 tokens: full again and again. */
const POSITIONS = 384;
const LONGEST = 192;

test.each(SIZE)(
  "600 random requests: pages add up, beginnings are right, scopes stay apart ($name)",
  async ({ config }) => {
    const happened = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(requests(600), async (list) => {
        const state = new PagedKvState(POSITIONS);
        const random = new RandomRequests(state, LONGEST, config);
        for (const one of list) {
          await random.apply(one);
          for (const [id, { tokens }] of random.running) expect(state.tokensOf(id)).toEqual(tokens);
          expectApart(state, random.scopes);
        }
        random.end();
        const did = (what: string) => state.log.filter((line) => line.startsWith(what)).length;
        const { reused, refused, fed } = random.counts;
        for (const [what, count] of Object.entries({
          reused,
          refused,
          fed,
          fork: did("fork"),
          popn: did("popn"),
        }))
          happened.set(what, (happened.get(what) ?? 0) + count);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    for (const [what, count] of happened) expect([what, count >= 5]).toEqual([what, true]);
  },
);

/** No page is held in two scopes. */
function expectApart(state: PagedKvState, scopes: ReadonlyMap<number, string>): void {
  const owners = new Map<object, string>();
  for (const [id, scope] of scopes) {
    for (const page of state.pagesOf(id)) {
      if ((owners.get(page) ?? scope) !== scope) throw new Error(`Scopes share a page of sequence ${id}.`);
      owners.set(page, scope);
    }
  }
}
