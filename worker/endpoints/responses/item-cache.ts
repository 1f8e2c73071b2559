import { ApiError } from "../../http/api-error.ts";

/** An output item; the schema of `input` checks its other fields. */
type Item = Readonly<{ id: string }>;

/** Total of all accounts. */
const MAX_ITEMS = 1_000;
/** Total JSON length, which bounds memory with large replies. */
const MAX_CHARACTERS = 4_000_000;

/**
 * LRU cache of the output items of recent responses, in memory only. It resolves `item_reference`, which SDKs that
 * expect stored responses send instead of the item.
 */
export class ItemCache {
  readonly #items = new Map<string, { item: Item; characters: number }>();
  #characters = 0;

  /** @param account the only one that may reference the items */
  remember(account: string, items: readonly Item[]): void {
    for (const item of items) this.#add(keyOf(account, item.id), item);
    for (const key of this.#items.keys()) {
      if (this.#items.size <= MAX_ITEMS && this.#characters <= MAX_CHARACTERS) return;
      this.#remove(key);
    }
  }

  /**
   * Replaces the references in an `input` by their items. The schema checks the rest.
   *
   * @throws {ApiError} 404 `item_not_found`
   */
  resolve(account: string, input: unknown): unknown {
    return this.resolveKnown(account, input, (id, at) => {
      throw new ApiError(
        404,
        "item_not_found",
        `Item with id '${id}' not found. Only items of recent responses are kept, in memory: send the item itself.`,
        { param: `input[${at}].id` },
      );
    });
  }

  /** The same, but leaves a reference to an unknown item as it is, after a call of `onUnknown`. */
  resolveKnown(
    account: string,
    input: unknown,
    onUnknown: (id: string, at: number) => void = () => {},
  ): unknown {
    if (!Array.isArray(input)) return input;
    return input.map((item: unknown, at) => {
      const id = referenceOf(item);
      if (id === undefined) return item;
      const found = this.#find(account, id);
      if (!found) onUnknown(id, at);
      return found ?? item;
    });
  }

  #find(account: string, id: string): Item | undefined {
    const key = keyOf(account, id);
    const found = this.#items.get(key)?.item;
    if (found) this.#add(key, found);
    return found;
  }

  #add(key: string, item: Item): void {
    this.#remove(key);
    const characters = JSON.stringify(item).length;
    this.#items.set(key, { item, characters });
    this.#characters += characters;
  }

  #remove(key: string): void {
    this.#characters -= this.#items.get(key)?.characters ?? 0;
    this.#items.delete(key);
  }
}

function keyOf(account: string, id: string): string {
  return `${account}\n${id}`;
}

/** The id of a reference, whose `type` is optional (OpenAI reference, Responses, `item_reference`). */
function referenceOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { type, role, id } = item as Record<string, unknown>;
  const isReference = type === "item_reference" || ((type ?? role) === undefined && id !== undefined);
  return isReference && typeof id === "string" ? id : undefined;
}
