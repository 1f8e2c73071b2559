/** Files stored in chunks: streamed on write and read, never whole in memory. */

import type { Clock } from "../../clock.ts";
import { ClockTrust } from "../../usage/billing/clock-trust.ts";
import type { LedgerLocks } from "../../usage/ledger/locks.ts";
import { isValidFile, unfinishedBatches } from "../row-schemas.ts";
import { type FileRow, type FilesDatabase, type FilesTransaction, keysOf } from "../schema.ts";
import { FileWriter } from "./file-writer.ts";
import { ListCursors } from "./list-cursors.ts";
import { type ListPage, type ListPageQuery, listPage } from "./list-page.ts";

interface FileStoreOptions {
  database: FilesDatabase;
  clock: Clock;
  locks: LedgerLocks;
  /** Whether the clock is trusted unchecked, as tests that offset it need. @default false */
  skipsClockCheck?: boolean;
  /** Called when a file was deleted: there may be room again. */
  onDeleted(): void;
}

type Deletion = "deleted" | "in_use" | "not_found";

/** A part of a file was deleted or is corrupt. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile" as const;
}

export class FileStore {
  readonly #options: FileStoreOptions;
  readonly #trust: ClockTrust;
  readonly #listCursors = new ListCursors();
  #writerId: Promise<string> | undefined;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#trust = new ClockTrust(options.clock);
  }

  /**
   * Starts a file. It is visible once finished; if this server dies before, `runMaintenance` deletes it.
   *
   * @param requestId the upload; one that is resent makes no second file
   */
  async write(account: string, requestId?: string): Promise<FileWriter> {
    const { database, clock, locks } = this.#options;
    this.#writerId ??= (async () => {
      const id = clock.id("writer_");
      await locks.hold(filesOwnerLock(id));
      return id;
    })();
    return FileWriter.begin(database, clock, {
      account,
      writerId: await this.#writerId,
      ...(requestId === undefined ? {} : { requestId }),
    });
  }

  /** Includes an expired file that a batch still reads. */
  async get(id: string): Promise<FileRow | undefined> {
    const row = await this.#options.database.read(["files"], (all) => all.objectStore("files").get(id));
    return isValidFile(row) ? row : undefined;
  }

  async find(account: string, id: string): Promise<FileRow | undefined> {
    const row = await this.get(id);
    return row?.account === account && isVisible(row, this.#options.clock.now()) ? row : undefined;
  }

  /** A list page of the account's files; undefined if `after` is not one of them. */
  async list(
    account: string,
    query: ListPageQuery,
    purpose: string | undefined,
  ): Promise<ListPage<FileRow> | undefined> {
    const page = await this.#options.database.read(["files"], (transaction) =>
      listPage(transaction.objectStore("files"), account, query, {
        isValid: isValidFile,
        fits: (row) =>
          isVisible(row, this.#options.clock.now()) && (purpose === undefined || row.purpose === purpose),
        createdMsOf: (id) => this.#listCursors.createdMsOf(account, id),
      }),
    );
    if (page?.hasMore) this.#listCursors.note(page.rows.at(-1)!);
    return page;
  }

  /** The content in chunks. @throws {UnreadableFile} also if the file is deleted meanwhile */
  async *read(file: Pick<FileRow, "id" | "chunks">): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    for (let index = 0; index < file.chunks; index++) {
      const bytes = await this.#options.database.read(["chunks"], (transaction) =>
        transaction.objectStore("chunks").get([file.id, index]),
      );
      if (!(bytes instanceof Uint8Array))
        throw new UnreadableFile(`A part of the file ${file.id} is missing.`);
      yield bytes;
    }
  }

  /** Deletes a file, unless an unfinished batch reads it. */
  async delete(account: string, id: string): Promise<Deletion> {
    const result = await this.#options.database.write(["files", "chunks", "batches"], async (transaction) => {
      const row = await transaction.objectStore("files").get(id);
      if (!isValidFile(row) || row.account !== account) return "not_found";
      if (!isVisible(row, this.#options.clock.now())) return "not_found";
      if ((await inputsInUse(transaction)).has(id)) return "in_use";
      await drop(transaction, id);
      return "deleted";
    });
    if (result === "deleted") this.#options.onDeleted();
    return result;
  }

  /** Whether the clock is trusted enough to expire files. Never rejects. */
  async isClockTrusted(): Promise<boolean> {
    if (this.#options.skipsClockCheck) return true;
    let isTrusted = false;
    const observe = async (transaction: FilesTransaction): Promise<void> => {
      isTrusted = await this.#trust.observe(transaction.objectStore("meta"));
    };
    // Full storage refuses the note; expired data must be deleted nevertheless.
    await this.#options.database.write(["meta"], observe, "relaxed").catch(() => {});
    return isTrusted;
  }

  /** Deletes expired files if the clock is trusted, and unfinished files of dead servers. */
  async runMaintenance(): Promise<void> {
    const { database, clock, locks } = this.#options;
    const isTrusted = await this.isClockTrusted();
    const writers = await database.write(["files", "chunks", "batches"], async (transaction) => {
      const inUse = await inputsInUse(transaction);
      const found = new Set<string>();
      for (const row of (await transaction.objectStore("files").getAll()).filter(isValidFile)) {
        if (row.writer_id !== undefined) found.add(row.writer_id);
        else if (isTrusted && isExpired(row, clock.now()) && !inUse.has(row.id))
          await drop(transaction, row.id);
      }
      return found;
    });
    for (const writer of writers) await locks.ifFree(filesOwnerLock(writer), () => this.#dropAllOf(writer));
  }

  #dropAllOf(writer: string): Promise<void> {
    return this.#options.database.write(["files", "chunks"], async (transaction) => {
      const unfinished = await transaction.objectStore("files").index("by_writer").getAllKeys(writer);
      for (const id of unfinished) await drop(transaction, id);
    });
  }
}

/** Whether a file is visible: finished and not expired. */
export function isVisible(row: FileRow, nowMs: number): boolean {
  return row.writer_id === undefined && !isExpired(row, nowMs);
}

function filesOwnerLock(writerId: string): string {
  return `infetch:files-writer:${writerId}`;
}

function isExpired(row: FileRow, nowMs: number): boolean {
  return row.expires_ms !== null && row.expires_ms <= nowMs;
}

async function inputsInUse(transaction: FilesTransaction): Promise<Set<string>> {
  return new Set((await unfinishedBatches(transaction)).map((batch) => batch.input_file_id));
}

async function drop(transaction: FilesTransaction, id: string): Promise<void> {
  await transaction.objectStore("files").delete(id);
  await transaction.objectStore("chunks").delete(keysOf(id));
}
