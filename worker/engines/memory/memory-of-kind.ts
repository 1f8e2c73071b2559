import type { MemoryBudget } from "./memory-budget.ts";

/** What engines use of the budget. */
export type EngineMemory = Pick<
  MemoryBudget,
  "enter" | "roomFor" | "release" | "leave" | "settle" | "evictIdle"
>;

/**
 * The same budget for engines of another kind. Their models may have the ids of the first's: a GGUF file whose kind no
 * load has shown is tried as both.
 */
export function memoryOfKind(kind: string, memory: MemoryBudget): EngineMemory {
  const keyOf = (id: string): string => `${kind}:${id}`;
  return {
    enter: (model, purpose, signal) =>
      memory.enter({ ...model, id: keyOf(model.id), name: model.id }, purpose, signal),
    roomFor: (id) => memory.roomFor(keyOf(id)),
    release: (id) => memory.release(keyOf(id)),
    leave: (id) => memory.leave(keyOf(id)),
    settle: (id, bytes) => memory.settle(keyOf(id), bytes),
    evictIdle: (exceptId, reason) => memory.evictIdle(keyOf(exceptId), reason),
  };
}
