/** Chat and embedding engines share one budget; a model of one kind may have the id of a model of the other. */

import { expect, test } from "vitest";
import { systemTimers } from "../../../../worker/clock.ts";
import { EngineError } from "../../../../worker/engine-api/engine-error.ts";
import { MemoryBudget } from "../../../../worker/engines/memory/memory-budget.ts";
import { memoryOfKind } from "../../../../worker/engines/memory/memory-of-kind.ts";
import { EngineSupervisor } from "../../../../worker/engines/scheduling/supervisor.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

const never = new AbortController().signal;

function open() {
  const memory = new MemoryBudget({
    limitBytes: 100,
    isStrict: true,
    keepAliveMs: -1,
    maxWaiting: 8,
    timers: systemTimers,
  });
  const loads: { kind: string; finish(): void; fail(): void }[] = [];
  const reasons: string[] = [];
  const supervisor = (
    kind: string,
    shared: Parameters<typeof memoryOfKind>[1] | ReturnType<typeof memoryOfKind>,
  ) =>
    new EngineSupervisor<{ dispose(reason: string): void }, { id: string; memoryBytes: number }>({
      start: () =>
        new Promise((resolve, reject) =>
          loads.push({
            kind,
            finish: () => resolve({ dispose: (reason) => reasons.push(reason) }),
            fail: () => reject(new EngineError("model_not_found", "It is a model of the other kind.")),
          }),
        ),
      emit: () => {},
      maxQueued: 8,
      clock: new FakeClock(0),
      memory: shared,
    });
  return {
    memory,
    loads,
    reasons,
    chat: supervisor("chat", memory),
    embeddings: supervisor("embedding", memoryOfKind("embedding", memory)),
  };
}

test("a file that is loaded as both kinds at once stays in the budget as that which it is", async () => {
  const { memory, loads, reasons, chat, embeddings } = open();
  const file = { id: "file", memoryBytes: 40 };
  const asEmbedding = embeddings.use(file, never, async () => {});
  const asChat = chat.use(file, never, async () => {});
  await expect.poll(() => loads.length, { interval: 1 }).toBe(2);
  loads.find(({ kind }) => kind === "embedding")!.finish();
  await asEmbedding;
  loads.find(({ kind }) => kind === "chat")!.fail();
  await expect(asChat).rejects.toMatchObject({ code: "model_not_found" });
  expect(memory.entries()).toMatchObject([{ bytes: 40, holds: 0 }]);
  // Its memory is found when another model needs it.
  const other = chat.use({ id: "other", memoryBytes: 80 }, never, async () => {});
  await expect.poll(() => loads.length, { interval: 1 }).toBe(3);
  expect(reasons).toEqual(["its memory was needed for 'other'"]);
  loads[2]!.finish();
  await other;
  // And by its name, not that of its entry.
  const again = embeddings.use(file, never, async () => {});
  await expect.poll(() => loads.length, { interval: 1 }).toBe(4);
  expect(reasons.at(-1)).toBe("its memory was needed for 'file'");
  loads[3]!.finish();
  await again;
  await expect(embeddings.use({ id: "large", memoryBytes: 200 }, never, async () => {})).rejects.toThrow(
    /^The model 'large' needs/,
  );
});
