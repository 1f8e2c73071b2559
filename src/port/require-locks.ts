import { InfetchError } from "../errors.ts";
import { refuseEnvironment } from "../start-refusals.ts";

/**
 * Fails fast without Web Locks. Requests a lock, because the API may exist and still reject.
 *
 * @throws {InfetchError} `insecure_context`, `opaque_origin` or `web_locks_unavailable`
 */
export async function requireLocks(): Promise<void> {
  try {
    await navigator.locks.request(`infetch:probe:${crypto.randomUUID()}`, () => {});
  } catch (cause) {
    const { code, message } = refuseEnvironment();
    throw new InfetchError(code, message, { cause });
  }
}
