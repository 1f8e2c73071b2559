/** What has to be fetched before it can be shown: on its way, there, or failed with a reason. */

import { type Signal, signal } from "@preact/signals";

export type Loadable<T> =
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; reason: string };

/** A value that is fetched, and fetched again; what is shown stays until the next answer. */
export class Resource<T> {
  readonly content: Signal<Loadable<T>> = signal({ state: "loading" });
  readonly #load: () => Promise<T>;
  #newest = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Never rejects: a failure is the content. Only the newest call decides. */
  async refresh(): Promise<void> {
    this.#newest += 1;
    const own = this.#newest;
    let next: Loadable<T>;
    try {
      next = { state: "ready", value: await this.#load() };
    } catch (error) {
      next = { state: "failed", reason: reasonOf(error) };
    }
    if (own === this.#newest) this.content.value = next;
  }

  /** The value, or undefined while there is none. */
  get value(): T | undefined {
    const content = this.content.value;
    return content.state === "ready" ? content.value : undefined;
  }
}

/** The SDK puts the status before the message of the runtime: people need only the latter. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^\d{3} /, "") || "Something went wrong, and nothing says what.";
}
