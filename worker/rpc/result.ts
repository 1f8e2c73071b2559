import type { Result, WireError } from "../../src/protocol/rpc/result.ts";

/**
 * Runs the calls of a group. Errors are returned as data, because comlink drops their `code`.
 *
 * @param name of the page's error class
 * @param describe the code and the message of an error
 */
export function resultsWith(name: string, describe: (error: unknown) => Pick<WireError, "code" | "message">) {
  return async <T>(work: () => Promise<T>): Promise<Result<T>> => {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      const { code, message } = describe(error);
      return { ok: false, error: { name, code, message } };
    }
  };
}
