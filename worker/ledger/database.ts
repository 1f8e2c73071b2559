import { Database, type Work } from "../storage/database.ts";
import { LedgerError } from "./ledger-error.ts";
import { type LedgerSchema, MIGRATIONS, type Migration } from "./schema.ts";

interface LedgerDatabaseOptions {
  /** The database is called `<name>-ledger`. */
  name: string;
  /** Runs in one transaction over all stores after every open, before anything else is read or written. */
  onOpen?: Work<LedgerSchema, void>;
  /** How long an open may take before callers are told `ledger_blocked`. */
  openLimitMs?: number;
  migrations?: readonly Migration[];
}

/** The ledger's database. Its calls throw {@link LedgerError} `ledger_unavailable` or `ledger_blocked`. */
export class LedgerDatabase extends Database<LedgerSchema> {
  constructor({ name, migrations = MIGRATIONS, ...options }: LedgerDatabaseOptions) {
    super({ ...options, name: `${name}-ledger`, migrations, errors: { unavailable, blocked } });
  }
}

/** What the ledger itself refused at the open stays what it is. */
function unavailable(cause: unknown): LedgerError {
  if (cause instanceof LedgerError) return cause;
  return new LedgerError("ledger_unavailable", "The ledger's database cannot be used right now.", { cause });
}

function blocked(): LedgerError {
  return new LedgerError(
    "ledger_blocked",
    "Another tab keeps the ledger's database busy. Close or reload the other tabs of this site.",
  );
}
