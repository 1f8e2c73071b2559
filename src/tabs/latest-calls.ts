/**
 * How many calls a candidate keeps. Other pages have answered most older ones; a page that still waits calls the next
 * leader.
 */
const MAX_CALLS = 8;

/** The latest calls that a page has received. */
export class LatestCalls {
  #calls: MessagePort[] = [];

  add(call: MessagePort): void {
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS) this.#calls.shift()!.close();
  }

  /** All of them; none are left. */
  take(): MessagePort[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }
}
