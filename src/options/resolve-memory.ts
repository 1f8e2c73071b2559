import type { ServerOptions } from "../protocol/options/server-options.ts";

/** The options of `RuntimeOptions` with these names. */
interface MemoryOptions {
  memoryBudgetBytes?: number;
  keepAliveMs?: number;
}

/** Maximum delay of `setTimeout`. Longer values mean "never unload". */
const MAX_MS = 2 ** 31 - 1;

/**
 * The memory settings of the server: models stay loaded for five minutes by default, and a longer time than
 * timers accept means that they are never unloaded.
 */
export function resolveMemory({
  memoryBudgetBytes,
  keepAliveMs: given,
}: MemoryOptions): Pick<ServerOptions, "memoryBudgetBytes" | "keepAliveMs"> {
  // Null counts as omitted.
  const keepAliveMs = given ?? 300_000;
  return {
    ...(memoryBudgetBytes && { memoryBudgetBytes }),
    keepAliveMs: keepAliveMs > MAX_MS ? -1 : keepAliveMs,
  };
}
