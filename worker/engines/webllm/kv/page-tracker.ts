/** What the sequences of a KV cache take of its pages, counted without asking the library. */

/** A page with at least one holder. */
interface Page {
  holders: number;
  /** Holders that a reply is running on. */
  activeHolders: number;
}

/** A sequence's part in the pages. */
export class PageHolder {
  readonly pages: Page[] = [];
  /** Tokens in these pages. */
  length = 0;
  /** Tokens that there is a page for, whether taken or promised; 0 while no reply runs on the sequence. */
  reserved = 0;
  isActive = true;
}

/**
 * The rules hold for page tables and, because shared pages are only ever cut between two pages, for TVM's tree of
 * blocks: nothing is copied, and a page that is written to has one holder.
 */
export class PageTracker {
  readonly #pageSize: number;
  #unallocated: number;
  /** Reserved and not yet taken. */
  #promised = 0;
  #retained = 0;
  readonly total: number;

  constructor(total: number, pageSize: number) {
    this.total = total;
    this.#pageSize = pageSize;
    this.#unallocated = total;
  }

  /** Neither held nor promised. */
  get free(): number {
    return this.#unallocated - this.#promised;
  }

  /** Held by idle sequences only: what an eviction of all of them frees. */
  get retained(): number {
    return this.#retained;
  }

  /** Held by a running sequence, or promised to it. */
  get active(): number {
    return this.total - this.free - this.#retained;
  }

  /** Pages that the library has free: promised ones are taken when the tokens are fed. */
  get unallocated(): number {
    return this.#unallocated;
  }

  /** Pages for this many tokens. */
  pagesFor(tokens: number): number {
    return Math.ceil(tokens / this.#pageSize);
  }

  /** The last position up to `tokens` that lies between two pages. */
  aligned(tokens: number): number {
    return tokens - (tokens % this.#pageSize);
  }

  /** Whether cutting a sequence after so many tokens leaves a page that others hold, too, and that is not full. */
  cutsShared(holder: PageHolder, tokens: number): boolean {
    const partial =
      tokens % this.#pageSize === 0 ? undefined : holder.pages[Math.floor(tokens / this.#pageSize)];
    return partial !== undefined && partial.holders > 1;
  }

  /** Further pages that `tokens` tokens of an active sequence need. */
  needed(holder: PageHolder, tokens: number): number {
    return Math.max(0, this.pagesFor(tokens) - this.pagesFor(Math.max(holder.reserved, holder.length)));
  }

  /** Promises pages for `tokens` tokens in all; there must be enough of them free. */
  reserve(holder: PageHolder, tokens: number): void {
    const pages = this.needed(holder, tokens);
    if (pages > this.free)
      throw new Error(`${pages} pages of the KV cache are needed, ${this.free} are free.`);
    this.#promised += pages;
    holder.reserved = Math.max(holder.reserved, holder.length, tokens);
  }

  /** Takes the pages of `count` tokens that were fed. They must be reserved. */
  grow(holder: PageHolder, count: number): void {
    if (holder.length + count > holder.reserved)
      throw new Error("Tokens were fed that have no page reserved.");
    holder.length += count;
    while (holder.pages.length < this.pagesFor(holder.length)) {
      holder.pages.push({ holders: 1, activeHolders: 1 });
      this.#promised--;
      this.#unallocated--;
    }
  }

  /** An active sequence that shares another's first `tokens` tokens, all in full pages. */
  fork(parent: PageHolder, child: PageHolder, tokens: number): void {
    for (const page of parent.pages.slice(0, this.pagesFor(tokens))) {
      page.holders++;
      this.#note(page, 1);
      child.pages.push(page);
    }
    child.length = tokens;
  }

  /** Keeps the first `tokens` tokens. */
  cut(holder: PageHolder, tokens: number): void {
    for (const page of holder.pages.splice(this.pagesFor(tokens))) {
      if (holder.isActive) this.#note(page, -1);
      if (--page.holders > 0) continue;
      this.#retained--;
      this.#unallocated++;
    }
    holder.length = tokens;
  }

  /** A reply runs on the sequence from now on. */
  activate(holder: PageHolder): void {
    if (holder.isActive) return;
    holder.isActive = true;
    for (const page of holder.pages) this.#note(page, 1);
  }

  /** No reply runs on the sequence any more: what was promised is free again. */
  retire(holder: PageHolder): void {
    if (!holder.isActive) return;
    this.#promised -= Math.max(0, this.pagesFor(holder.reserved) - holder.pages.length);
    holder.reserved = 0;
    holder.isActive = false;
    for (const page of holder.pages) this.#note(page, -1);
  }

  /** Pages that become free if the sequence is cut after `tokens` tokens. */
  freedByCut({ pages }: PageHolder, tokens: number): number {
    return pages.slice(this.pagesFor(tokens)).filter(({ holders }) => holders === 1).length;
  }

  /** Pages that become free if all these sequences end. */
  freedBy(holders: Iterable<PageHolder>): number {
    const left = new Map<Page, number>();
    let freed = 0;
    for (const { pages } of holders) {
      for (const page of pages) {
        const others = (left.get(page) ?? page.holders) - 1;
        left.set(page, others);
        if (others === 0) freed++;
      }
    }
    return freed;
  }

  /** A page is retained while none of its holders is active. */
  #note(page: Page, change: 1 | -1): void {
    const wasActive = page.activeHolders > 0;
    page.activeHolders += change;
    const isActive = page.activeHolders > 0;
    if (wasActive !== isActive) this.#retained += isActive ? -1 : 1;
  }
}
