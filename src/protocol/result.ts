/** What a call over the port answers. Errors cross as data: comlink keeps only `message`, `name` and `stack`. */

/** An error as data. `code` is machine-readable and stable; `message` is for humans. */
export interface WireError {
  name: string;
  message: string;
  code: string;
}

/** What a call over the port answers: never a throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: WireError };
