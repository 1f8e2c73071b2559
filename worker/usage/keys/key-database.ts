import { Database, STORAGE_REMEDY } from "../../storage/database.ts";
import { KeyError } from "./key-error.ts";
import { type KeySchema, MIGRATIONS } from "./schema.ts";

/**
 * The database of keys, `<name>-accounts`: apart from the ledger, so that keys work if that is broken. Its calls
 * throw {@link KeyError} `keys_unavailable`.
 */
export class KeyDatabase extends Database<KeySchema> {
  constructor(name: string) {
    super({
      name: `${name}-accounts`,
      migrations: MIGRATIONS,
      errors: {
        unavailable: (cause) => unavailable(`is unavailable. ${STORAGE_REMEDY}`, cause),
        blocked: () => unavailable("is blocked by another tab. Close or reload the other tabs of this site."),
      },
    });
  }
}

function unavailable(why: string, cause?: unknown): KeyError {
  return new KeyError("keys_unavailable", `The database of API keys ${why}`, { cause });
}
