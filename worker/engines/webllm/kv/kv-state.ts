/** Tokens of a page in TVM's KV cache (web-llm 0.2.86, `defaultPageSize`). */
export const PAGE_SIZE = 16;

/**
 * The sequences of a paged KV cache, as the loaded library keeps them (`kv_state_*`). Ids are 0 or more: TVM uses
 * negative ones itself.
 */
export interface KvState {
  add(id: number): void;
  remove(id: number): void;
  /** Makes `child` begin with the first `position` tokens of `parent`. */
  fork(parent: number, child: number, position: number): void;
  /** Forgets the last `count` tokens. */
  popn(id: number, count: number): void;
  availablePages(): number;
}

/** The size and abilities of a KV cache. */
export interface CacheConfig {
  /** All its pages. */
  pages: number;
  /** Tokens of a page. */
  pageSize: number;
  /** The most sequences that may exist, idle ones included. @default no limit */
  maxSequences?: number;
  /**
   * Whether a forked sequence is as fast as any other, as with page tables. With TVM's blocks each of its steps takes
   * one more attention kernel a layer, so that up to a tenth of a sequence is rather given up.
   *
   * @default false
   */
  forksFreely?: boolean;
}
