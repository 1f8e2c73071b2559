import type { Runtime } from "./pipeline.ts";

/**
 * Runs `work` and frees the TVM objects that it made and did not detach. Scopes are one stack for the whole runtime,
 * so the work must be synchronous: anything that ran at an await would free or keep objects of the wrong scope.
 *
 * @throws {Error} if the work returns a promise
 */
export function withScope<T>(tvm: Runtime, work: () => T extends PromiseLike<unknown> ? never : T): T {
  tvm.beginScope();
  try {
    const result = work();
    if (result instanceof Promise) throw new Error("A TVM scope must not span an await.");
    return result;
  } finally {
    tvm.endScope();
  }
}
