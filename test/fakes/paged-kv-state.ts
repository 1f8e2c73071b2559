/** The sequences of a KV cache with page tables, as the model library keeps them, and what must never be done to them. */
import { expect } from "vitest";
import type { KvState } from "../../worker/engines/webllm/kv/kv-state.ts";
import { PageModel } from "../browser/model-library/support/page-model.ts";

const PAGE_SIZE = 16;

export class PagedKvState implements KvState {
  readonly #model: PageModel;
  readonly log: string[] = [];

  /** @param positions of all sequences; there is one page more than they need */
  constructor(positions: number) {
    this.#model = new PageModel(positions);
  }

  add(id: number): void {
    expect([id >= 0, this.#model.sequences.has(id)]).toEqual([true, false]);
    this.log.push("add");
    this.#model.add(id);
  }

  remove(id: number): void {
    expect(this.#model.sequences.has(id)).toBe(true);
    this.log.push("remove");
    this.#model.remove(id);
  }

  fork(parent: number, child: number, position: number): void {
    expect(position % PAGE_SIZE).toBe(0);
    this.log.push(`fork ${position}`);
    this.#model.fork(parent, child, position);
  }

  popn(id: number, count: number): void {
    const { tokens, pages } = this.#model.sequences.get(id)!;
    const left = tokens.length - count;
    expect(left).toBeGreaterThanOrEqual(0);
    // A library would copy this page, and may have none free for it.
    if (left % PAGE_SIZE !== 0) expect(pages[Math.floor(left / PAGE_SIZE)]!.holders).toBe(1);
    this.log.push(`popn ${count}`);
    this.#model.pop(id, count);
  }

  availablePages(): number {
    return this.#model.free;
  }

  feed(id: number, tokens: readonly number[]): void {
    expect(this.#model.needed([{ id, tokens }])).toBeLessThanOrEqual(this.#model.free);
    this.#model.feed(id, tokens);
  }

  tokensOf(id: number): readonly number[] {
    return this.#model.sequences.get(id)!.tokens;
  }

  has(id: number): boolean {
    return this.#model.sequences.has(id);
  }

  /** The pages of a sequence; the same object for each of its holders. */
  pagesOf(id: number): readonly object[] {
    return this.#model.sequences.get(id)?.pages ?? [];
  }
}
