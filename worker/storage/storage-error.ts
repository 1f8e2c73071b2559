import { CodedError } from "../../src/shared/coded-error.ts";

/** The browser cannot read or store something now. */
export class StorageError extends CodedError<"storage_quota_exceeded" | "storage_unavailable"> {
  override name = "StorageError" as const;
}
