import { fileAddress } from "../../../engine-api/file-name.ts";
import { negativeEntryOf } from "../../../model-store/cache/negative-entry.ts";
import type { openCache } from "../../../model-store/cache/watched-cache.ts";

/** Notes of files that a model was loaded without: the next load does not ask for them, as it may be offline. */
export class AbsentFiles {
  readonly #folder: string;
  readonly #open: () => ReturnType<typeof openCache>;

  /**
   * @param folder cache URL prefix of the model's files
   * @param open opens their cache
   */
  constructor(folder: string, open: () => ReturnType<typeof openCache>) {
    this.#folder = folder;
    this.#open = open;
  }

  /** Without its note, a file is asked for again. */
  async note(names: readonly string[]): Promise<void> {
    for (const name of names)
      await (await this.#open())?.put(this.#key(name), new Response("")).catch(() => {});
  }

  async isNoted(name: string): Promise<boolean> {
    return (await (await this.#open())?.match(this.#key(name))) !== undefined;
  }

  #key(name: string): string {
    return negativeEntryOf(fileAddress(this.#folder, name));
  }
}
