import type { CacheConfig, KvState } from "./kv-state.ts";
import { PageTracker } from "./page-tracker.ts";
import { OutOfPages, Sequence, shortest } from "./sequence.ts";
import { TokenTree } from "./token-tree.ts";

/** A fork must save at least so many tokens. */
export const MIN_SAVED = 64;
/** A sequence is taken over at this share of its tokens, where forks are not free. */
const MIN_TAKE_OVER_SHARE = 0.9;

const NO_MATCH = { matched: 0, sequences: [] as Sequence[] };

/** A way to give a prompt its sequence. */
interface Plan {
  /** Tokens that are there already. */
  matched: number;
  /** The idle sequence to cut and continue. */
  takeOver?: Sequence;
  /** The sequence to fork; without it and {@link takeOver}, a new sequence begins empty. */
  parent?: Sequence;
  /** An idle sequence that may not be evicted for this, nor any that was used later. */
  spared?: Sequence | undefined;
}

/**
 * The sequences of one KV cache: those that replies run on, and idle ones whose prompts and replies are kept for later
 * prompts. A prompt reuses the longest beginning that an earlier sequence of the same scope has. Idle sequences end, the
 * least recently used first, as others need their pages.
 */
export class SequenceCache {
  readonly #state: KvState;
  readonly #config: CacheConfig;
  readonly #pages: PageTracker;
  readonly #sequences = new Map<number, Sequence>();
  /** The least recently used first. */
  readonly #retained = new Set<Sequence>();
  readonly #trees = new Map<string, TokenTree<Sequence>>();
  #nextId = 0;

  constructor(state: KvState, config: CacheConfig) {
    this.#state = state;
    this.#config = config;
    this.#pages = new PageTracker(config.pages, config.pageSize);
  }

  /** Tokens in running and in idle sequences; tokens that sequences share count for each. */
  get tokens(): { active: number; retained: number } {
    let [active, retained] = [0, 0];
    for (const { isActive, length } of this.#sequences.values()) {
      if (isActive) active += length;
      else retained += length;
    }
    return { active, retained };
  }

  /** Pages by use; together they are all. Those reserved for a running sequence are active. */
  get pages(): { free: number; retained: number; active: number } {
    const { free, retained, active } = this.#pages;
    return { free, retained, active };
  }

  /**
   * Takes over, forks or adds a sequence for a prompt and reserves pages for all of it.
   *
   * @param scope whose sequences may be reused; scopes share nothing
   * @param most of the prompt's tokens that it may have
   * @returns the sequence, and how many of the prompt's first tokens it has. At least the last two are left to feed,
   * as a forward pass of one token is a decode
   * @throws {OutOfPages}
   */
  admit(scope: string, prompt: readonly number[], most?: number): { id: number; matched: number } {
    const plan = this.#plan(scope, prompt, most);
    const sequence = plan.takeOver ? this.#cut(plan.takeOver, plan.matched) : this.#open(scope, prompt, plan);
    this.#makeRoom(this.#pages.needed(sequence, prompt.length));
    this.#pages.reserve(sequence, prompt.length);
    return { id: sequence.id, matched: plan.matched };
  }

  /** Makes room for `count` more tokens of a sequence, evicting idle ones. @returns false if pages lack */
  reserve(id: number, count: number): boolean {
    const sequence = this.#get(id);
    const tokens = sequence.length + count;
    const needed = this.#pages.needed(sequence, tokens);
    if (needed > this.#pages.free + this.#pages.retained) return false;
    this.#makeRoom(needed);
    this.#pages.reserve(sequence, tokens);
    return true;
  }

  /** Notes tokens whose keys and values were just written. Their pages must be reserved. */
  fed(id: number, tokens: readonly number[]): void {
    const sequence = this.#get(id);
    this.#pages.grow(sequence, tokens.length);
    this.#tree(sequence.scope).append(sequence, tokens);
  }

  /** Pages that a pass lists for a sequence and one more token. TVM has room for a list of all pages, shared ones or not. */
  listed(id: number): number {
    return this.#pages.pagesFor(this.#get(id).length + 1);
  }

  /** No reply runs on the sequence any more; it is kept for later prompts of its scope. */
  retain(id: number): void {
    const sequence = this.#get(id);
    this.#pages.retire(sequence);
    const isUseless = sequence.length === 0 || this.#tree(sequence.scope).isPartOfAnother(sequence);
    if (isUseless) this.#remove(sequence);
    else this.#retained.add(sequence);
  }

  /** Ends a sequence. */
  drop(id: number): void {
    const sequence = this.#get(id);
    this.#pages.retire(sequence);
    this.#remove(sequence);
  }

  /** Ends all sequences. */
  clear(): void {
    for (const id of [...this.#sequences.keys()]) this.drop(id);
  }

  /**
   * Ends all sequences if the library's free pages are not the computed ones. While no reply runs.
   *
   * @throws {Error} if they differ after that, too
   */
  settle(): void {
    if (this.#state.availablePages() === this.#pages.unallocated) return;
    this.clear();
    this.verify();
  }

  /** @throws {Error} if the library's free pages are not the computed ones. Not while tokens are being fed */
  verify(): void {
    const [free, expected] = [this.#state.availablePages(), this.#pages.unallocated];
    if (free !== expected) throw new Error(`The KV cache has ${free} free pages, not ${expected}.`);
  }

  #plan(scope: string, prompt: readonly number[], most = prompt.length): Plan {
    const limit = Math.max(0, Math.min(most, prompt.length - 2));
    const { matched, sequences } = this.#trees.get(scope)?.match(prompt, limit) ?? NO_MATCH;
    const idle = shortest(sequences.filter(({ isActive }) => !isActive));
    const parent = sequences.find(({ isActive }) => isActive) ?? idle;
    const position = this.#pages.aligned(matched);
    const empty: Plan = { matched: 0 };
    const fork = parent && position >= MIN_SAVED ? { matched: position, parent } : empty;
    const plans = idle ? this.#plansFor(idle, matched, fork) : [fork, empty];
    const plan = plans.find((one) => this.#fits(one, prompt.length));
    if (!plan) throw new OutOfPages(`No room for ${prompt.length} tokens in the KV cache.`);
    return plan;
  }

  /** In order of preference. An idle sequence that loses much by being taken over is kept if there is room for both. */
  #plansFor(idle: Sequence, matched: number, fork: Plan): Plan[] {
    // A page that others hold is not cut: the library would copy it.
    const kept = this.#pages.cutsShared(idle, matched) ? this.#pages.aligned(matched) : matched;
    const takeOver: Plan = { matched: kept, takeOver: idle };
    const losesLittle = this.#config.forksFreely
      ? idle.length - kept < this.#config.pageSize
      : kept > MIN_TAKE_OVER_SHARE * idle.length;
    const sparing = { ...fork, spared: idle };
    if (kept === 0) return [sparing, { matched: 0 }];
    return losesLittle ? [takeOver, sparing, { matched: 0 }] : [sparing, takeOver, { matched: 0 }];
  }

  #fits({ matched, takeOver, spared }: Plan, tokens: number): boolean {
    const needed = this.#pages.pagesFor(tokens) - this.#pages.pagesFor(matched);
    const evictable = this.#evictable(takeOver, spared);
    const hasSlot = takeOver !== undefined || evictable.length > 0 || !this.#isFull;
    const cut = takeOver ? this.#pages.freedByCut(takeOver, matched) : 0;
    return hasSlot && needed <= this.#pages.free + cut + this.#pages.freedBy(evictable);
  }

  /** Idle sequences that may end for a plan. */
  #evictable(takeOver: Sequence | undefined, spared: Sequence | undefined): Sequence[] {
    const all = [...this.#retained];
    return (spared ? all.slice(0, all.indexOf(spared)) : all).filter((one) => one !== takeOver);
  }

  get #isFull(): boolean {
    return this.#sequences.size >= (this.#config.maxSequences ?? Number.POSITIVE_INFINITY);
  }

  /** Makes an idle sequence a running one of `tokens` tokens. */
  #cut(sequence: Sequence, tokens: number): Sequence {
    const tree = this.#tree(sequence.scope);
    const removed = sequence.length - tokens;
    if (removed > 0) this.#state.popn(sequence.id, removed);
    this.#retained.delete(sequence);
    this.#pages.activate(sequence);
    this.#pages.cut(sequence, tokens);
    tree.cut(sequence, tokens);
    return sequence;
  }

  /** A new sequence, forked or empty. */
  #open(scope: string, prompt: readonly number[], { matched, parent }: Plan): Sequence {
    if (this.#isFull) this.#evictOldest();
    this.#makeRoom(this.#pages.pagesFor(prompt.length) - this.#pages.pagesFor(matched));
    const sequence = new Sequence(this.#nextId++, scope);
    if (parent) this.#state.fork(parent.id, sequence.id, matched);
    else this.#state.add(sequence.id);
    this.#sequences.set(sequence.id, sequence);
    if (parent) this.#pages.fork(parent, sequence, matched);
    this.#tree(scope).append(sequence, prompt.slice(0, matched));
    return sequence;
  }

  /** Evicts until so many pages are free, which they can be. */
  #makeRoom(pages: number): void {
    while (this.#pages.free < pages) this.#evictOldest();
  }

  #evictOldest(): void {
    const [oldest] = this.#retained;
    if (!oldest) throw new Error("Nothing is left to evict from the KV cache.");
    this.#remove(oldest);
  }

  /** Ends a sequence that no reply runs on. */
  #remove(sequence: Sequence): void {
    const { id, scope } = sequence;
    this.#state.remove(id);
    this.#sequences.delete(id);
    this.#retained.delete(sequence);
    this.#pages.cut(sequence, 0);
    const tree = this.#tree(scope);
    tree.remove(sequence);
    if (tree.isEmpty) this.#trees.delete(scope);
  }

  #tree(scope: string): TokenTree<Sequence> {
    const known = this.#trees.get(scope);
    if (known) return known;
    const tree = new TokenTree<Sequence>();
    this.#trees.set(scope, tree);
    return tree;
  }

  #get(id: number): Sequence {
    const sequence = this.#sequences.get(id);
    if (!sequence) throw new Error(`The KV cache has no sequence ${id}.`);
    return sequence;
  }
}
