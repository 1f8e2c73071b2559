/** Entries of the memory budget. */

/** A model that uses the memory budget. */
export interface EvictableModel {
  id: string;
  /** In messages. @default id */
  name?: string;
  /** Estimated or measured size; 0 if unknown. */
  bytes: number;
  /** Size with the smallest context window, at least: what a strict limit must have room for. @default bytes */
  leastBytes?: number;
  /** Never evicted, not even when idle. */
  isPinned: boolean;
  /** Frees its memory immediately. */
  evict(reason: string): void;
}

export interface MemoryEntry {
  model: EvictableModel;
  bytes: number;
  /** Number of requests that hold the model. */
  holds: number;
  /** Sequence number of the latest admitted request. */
  lastUse: number;
  /** A request waits for its memory; new requests for this model queue behind that one. */
  isLeaving: boolean;
}

export interface MemoryLimit {
  limitBytes: number;
  /** False for an estimated limit: a larger model is still tried, after all others are evicted. */
  isStrict: boolean;
}
