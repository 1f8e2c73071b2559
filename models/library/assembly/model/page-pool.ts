import { PAGE } from "../generated";

/**
 * The pages of the KV cache, PAGE positions each, with a count of the sequences that hold them. A page has
 * the same number in every layer's buffers, and no memory of its own here.
 */
@unmanaged
export class PagePool {
  total: i32;
  /** Pages that no sequence holds. */
  free: i32;
  /** Holders per page: u32[total]. */
  holders: usize;
  /** Numbers of the free pages, the next one last: u32[total]. */
  stack: usize;

  create(total: i32): void {
    this.total = total;
    this.holders = heap.alloc(<usize>total << 2);
    this.stack = heap.alloc(<usize>total << 2);
    memory.fill(this.holders, 0, <usize>total << 2);
    this.free = 0;
    for (let page = total - 1; page >= 0; page--) this.push(page);
  }

  destroy(): void {
    if (this.holders) heap.free(this.holders);
    if (this.stack) heap.free(this.stack);
  }

  holdersOf(page: i32): i32 {
    return load<i32>(this.holders + (<usize>page << 2));
  }

  /** A free page, now held once. The caller has made sure that there is one. */
  take(): i32 {
    const page = load<i32>(this.stack + ((<usize>(--this.free)) << 2));
    store<i32>(this.holders + (<usize>page << 2), 1);
    return page;
  }

  share(page: i32): void {
    store<i32>(this.holders + (<usize>page << 2), this.holdersOf(page) + 1);
  }

  /** Ends one holder's use of a page; the last one frees it. */
  drop(page: i32): void {
    const left = this.holdersOf(page) - 1;
    store<i32>(this.holders + (<usize>page << 2), left);
    if (left == 0) this.push(page);
  }

  private push(page: i32): void {
    store<i32>(this.stack + ((<usize>(this.free++)) << 2), page);
  }
}

/** Pages that this many positions take. */
@inline
export function pagesFor(positions: i32): i32 {
  return (positions + PAGE - 1) / PAGE;
}
