import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import { systemTimers } from "../../clock.ts";
import { memoryLimit } from "./estimate.ts";
import { MemoryBudget } from "./memory-budget.ts";

/** The memory budget shared by all engines. Some browsers do not expose `deviceMemory`. */
export function createMemory({
  memoryBudgetBytes,
  keepAliveMs,
  maxQueuedRequests,
}: ServerOptions): MemoryBudget {
  const { deviceMemory } = navigator as { deviceMemory?: number };
  const limit = memoryLimit(memoryBudgetBytes, deviceMemory);
  return new MemoryBudget({ ...limit, keepAliveMs, maxWaiting: maxQueuedRequests, timers: systemTimers });
}
