import type { Clock } from "../../clock.ts";
import { ApiError } from "../../http/api-error.ts";
import { isValidFile } from "../row-schemas.ts";
import {
  type FilePurpose,
  type FileRow,
  type FilesDatabase,
  type FilesTransaction,
  keysOf,
} from "../schema.ts";
import { findByRequest } from "./idempotency.ts";

/** Large enough that transactions are cheap, small enough to hold dozens in memory. */
const CHUNK_BYTES = 1024 * 1024;

const DELETED =
  "The file was deleted before it was complete, for example as this site's storage was cleared. Send the request again.";

/** Properties of a finished file. */
export interface FileProperties {
  purpose: FilePurpose;
  filename: string;
  /** From creation; null: unlimited. */
  lifeSeconds: number | null;
}

/** A file being written. End it with `finish`, or with `discard`, which deletes it. */
export class FileWriter {
  readonly #database: FilesDatabase;
  readonly #row: FileRow;
  #open = new Uint8Array(CHUNK_BYTES);
  #openBytes = 0;

  private constructor(database: FilesDatabase, row: FileRow) {
    this.#database = database;
    this.#row = row;
  }

  static async begin(
    database: FilesDatabase,
    clock: Clock,
    { account, writerId, requestId }: { account: string; writerId: string; requestId?: string },
  ): Promise<FileWriter> {
    const row: FileRow = {
      id: clock.id("file-", 22),
      account,
      purpose: "batch",
      filename: "",
      bytes: 0,
      chunks: 0,
      created_ms: clock.now(),
      expires_ms: null,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      writer_id: writerId,
    };
    await database.write(["files"], (transaction) => transaction.objectStore("files").put(row));
    return new FileWriter(database, row);
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#row.bytes;
  }

  /** Appends content; resolves when more can be written. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + CHUNK_BYTES - this.#openBytes);
      this.#open.set(piece, this.#openBytes);
      this.#openBytes += piece.length;
      this.#row.bytes += piece.length;
      at += piece.length;
      if (this.#openBytes === CHUNK_BYTES) await this.#store();
    }
  }

  /** Writes the rest. Returns the row that makes the file visible, for the caller's transaction. */
  async close({ purpose, filename, lifeSeconds }: FileProperties): Promise<FileRow> {
    if (this.#openBytes > 0) await this.#store();
    const { writer_id: _, ...row } = this.#row;
    const expires_ms = lifeSeconds === null ? null : row.created_ms + lifeSeconds * 1000;
    return { ...row, purpose, filename, expires_ms };
  }

  /**
   * Makes the file visible. If its upload has made one already, discards it and returns that one.
   *
   * @throws {ApiError} 503 `storage_unavailable` if it was deleted: the storage was cleared, or this server presumed dead
   */
  async finish(properties: FileProperties): Promise<FileRow> {
    const row = await this.close(properties);
    return this.#database.write(["files", "chunks"], async (transaction) => {
      const store = transaction.objectStore("files");
      if ((await store.getKey(row.id)) === undefined) throw new ApiError(503, "storage_unavailable", DELETED);
      const earlier = await this.#findEarlier(transaction);
      if (earlier) await this.#drop(transaction);
      else await store.put(row);
      return earlier ?? row;
    });
  }

  discard(): Promise<void> {
    return this.#database.write(["files", "chunks"], (transaction) => this.#drop(transaction));
  }

  async #findEarlier(transaction: FilesTransaction): Promise<FileRow | undefined> {
    const { account, request_id: requestId, created_ms: nowMs } = this.#row;
    if (requestId === undefined) return undefined;
    const isFinished = (row: unknown): row is FileRow => isValidFile(row) && row.writer_id === undefined;
    return findByRequest(transaction.objectStore("files"), { account, requestId, nowMs }, isFinished);
  }

  async #drop(transaction: FilesTransaction): Promise<void> {
    await transaction.objectStore("files").delete(this.#row.id);
    await transaction.objectStore("chunks").delete(keysOf(this.#row.id));
  }

  /** Relaxed: a power cut only affects unfinished files, as their last transaction is strict. */
  async #store(): Promise<void> {
    const bytes = this.#open.slice(0, this.#openBytes);
    const key: [string, number] = [this.#row.id, this.#row.chunks++];
    this.#openBytes = 0;
    await this.#database.write(
      ["chunks"],
      async (transaction) => void (await transaction.objectStore("chunks").put(bytes, key)),
      "relaxed",
    );
  }
}
