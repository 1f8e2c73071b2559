/** How many pages a KV cache must have free after any operations, computed from the rules alone. */

const PAGE_SIZE = 16;

interface Page {
  holders: number;
}

interface Sequence {
  tokens: number[];
  pages: Page[];
}

export class PageModel {
  readonly sequences = new Map<number, Sequence>();
  free: number;

  constructor(positions: number) {
    this.free = Math.ceil(positions / PAGE_SIZE) + 1;
  }

  get totalLength(): number {
    return [...this.sequences.values()].reduce((sum, { tokens }) => sum + tokens.length, 0);
  }

  add(id: number): void {
    this.sequences.set(id, { tokens: [], pages: [] });
  }

  remove(id: number): void {
    this.#drop(this.#get(id), 0);
    this.sequences.delete(id);
  }

  /** Pages that these sequences need for so many more tokens each. */
  needed(feeds: readonly { id: number; tokens: readonly number[] }[]): number {
    return feeds.reduce((sum, { id, tokens }) => {
      const { length } = this.#get(id).tokens;
      return sum + Math.ceil((length + tokens.length) / PAGE_SIZE) - Math.ceil(length / PAGE_SIZE);
    }, 0);
  }

  feed(id: number, tokens: readonly number[]): void {
    const sequence = this.#get(id);
    sequence.tokens.push(...tokens);
    while (sequence.pages.length * PAGE_SIZE < sequence.tokens.length) sequence.pages.push(this.#take());
  }

  canFork(position: number): boolean {
    return position % PAGE_SIZE === 0 || this.free > 0;
  }

  fork(parent: number, child: number, position: number): void {
    const { tokens, pages } = this.#get(parent);
    const shared = pages.slice(0, Math.floor(position / PAGE_SIZE));
    for (const page of shared) page.holders++;
    const own = position % PAGE_SIZE ? [this.#take()] : [];
    this.sequences.set(child, { tokens: tokens.slice(0, position), pages: [...shared, ...own] });
  }

  canPop(id: number, count: number): boolean {
    const { tokens, pages } = this.#get(id);
    const length = tokens.length - count;
    const full = Math.floor(length / PAGE_SIZE);
    if (length % PAGE_SIZE === 0 || pages[full]!.holders === 1) return true;
    return this.free + pages.slice(full + 1).filter(({ holders }) => holders === 1).length > 0;
  }

  pop(id: number, count: number): void {
    const sequence = this.#get(id);
    sequence.tokens.length -= count;
    const full = Math.floor(sequence.tokens.length / PAGE_SIZE);
    const isPartial = sequence.tokens.length % PAGE_SIZE !== 0;
    const isShared = isPartial && sequence.pages[full]!.holders > 1;
    this.#drop(sequence, isPartial && !isShared ? full + 1 : full);
    if (isShared) sequence.pages.push(this.#take());
  }

  #take(): Page {
    this.free--;
    return { holders: 1 };
  }

  #drop(sequence: Sequence, keep: number): void {
    for (const page of sequence.pages.splice(keep)) if (--page.holders === 0) this.free++;
  }

  #get(id: number): Sequence {
    return this.sequences.get(id)!;
  }
}
