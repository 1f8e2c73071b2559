import { Database, STORAGE_REMEDY } from "../../storage/database.ts";
import type { Work } from "../../storage/transaction.ts";
import { LedgerError } from "./ledger-error.ts";
import { hasQuarantined } from "./quarantine.ts";
import {
  type LedgerSchema,
  type LedgerTransaction,
  MIGRATIONS,
  type Migration,
  type StoreName,
} from "./schema.ts";

interface LedgerDatabaseOptions {
  /** The database is named `<name>-ledger`. */
  name: string;
  /** Runs in one transaction over all stores after every open, before anything else is read or written. */
  onOpen?: Work<LedgerSchema, void>;
  /** How long an open may take before calls fail with `ledger_blocked`. */
  openLimitMs?: number;
  migrations?: readonly Migration[];
  /** Called after rows were quarantined. */
  onQuarantine?: () => void;
}

/** The ledger's database. Its calls throw {@link LedgerError} `ledger_unavailable` or `ledger_blocked`. */
export class LedgerDatabase extends Database<LedgerSchema> {
  readonly #onQuarantine: () => void;

  constructor({ name, migrations = MIGRATIONS, onQuarantine = () => {}, ...options }: LedgerDatabaseOptions) {
    super({ ...options, name: `${name}-ledger`, migrations, errors: { unavailable, blocked } });
    this.#onQuarantine = onQuarantine;
  }

  override async write<T>(
    stores: readonly StoreName[],
    work: (transaction: LedgerTransaction) => Promise<T>,
    durability?: IDBTransactionDurability,
  ): Promise<T> {
    let used: LedgerTransaction | undefined;
    const result = await super.write(
      stores,
      (transaction) => {
        used = transaction;
        return work(transaction);
      },
      durability,
    );
    if (used && hasQuarantined(used)) this.#onQuarantine();
    return result;
  }
}

/** Ledger errors thrown during the open pass through unchanged. */
function unavailable(cause: unknown): LedgerError {
  if (cause instanceof LedgerError) return cause;
  const message = `The ledger's database is unavailable. ${STORAGE_REMEDY}`;
  return new LedgerError("ledger_unavailable", message, { cause });
}

function blocked(): LedgerError {
  return new LedgerError(
    "ledger_blocked",
    "Another tab blocks the ledger's database. Close or reload the other tabs of this site.",
  );
}
