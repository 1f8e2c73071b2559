/** `kv_state_*` of a loaded model library. Sequence ids are 0 or more. */
export interface KvState {
  add(id: number): void;
  remove(id: number): void;
  fork(parent: number, child: number, position: number): void;
  popn(id: number, count: number): void;
  availablePages(): number;
}

/** The sequences of one model's KV cache. Stand-in: one conversation. */
export class SequenceCache {
  readonly #state: KvState;
  #ids: number[] = [];
  #scope: string | undefined;

  constructor(state: KvState, _facts: { pages: number; pageSize: number; maxSequences?: number }) {
    this.#state = state;
  }

  admit(scope: string, prompt: readonly number[]): { id: number; matched: number } {
    let matched = 0;
    if (scope === this.#scope)
      while (matched < prompt.length - 2 && prompt[matched] === this.#ids[matched]) matched++;
    if (this.#scope === undefined) this.#state.add(0);
    this.#state.popn(0, this.#ids.length - matched);
    this.#ids.length = matched;
    this.#scope = scope;
    return { id: 0, matched };
  }

  reserve(_id: number, _count: number): boolean {
    return true;
  }

  fed(_id: number, ids: readonly number[]): void {
    this.#ids.push(...ids);
  }

  retain(_id: number): void {}
}
