/** Lines of a batch side by side, on an engine that runs several requests: the law of a line is that of one at a time. */

import { expect, test } from "vitest";
import { BatchWorld, stuckAt, type Tab, turn, until } from "../../support/batches/batch-world.ts";
import { chatLine, resultsOf, submit } from "../../support/batches/lines.ts";
import { fc } from "../../support/random.ts";

const linesOf = (count: number): string[] => Array.from({ length: count }, (_, at) => chatLine(`line ${at}`));

/** Transaction ids of the recorded events, sorted by line number. */
async function recordedBy(tab: Tab): Promise<string[]> {
  const usage = await tab.ledger.rpc.usage();
  const ids = usage.ok ? usage.value.map((event) => event.transactionId) : [];
  return ids.toSorted((a, b) => Number(a.split(":")[1]) - Number(b.split(":")[1]));
}

/** Holds back the lines `isHeld` says, until `open()`. */
function gateFor(isHeld: (prompt: string) => boolean) {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gate = ({ prompt }: { prompt: string | readonly number[] }): Promise<void> =>
    isHeld(String(prompt)) ? opened : Promise.resolve();
  return { gate, open };
}

test("once the model has loaded, all places but one run lines; each that ends is followed by the next", async () => {
  const { gate, open } = gateFor((prompt) => prompt.includes("line 1<"));
  const tab = await new BatchWorld().openTab({ behaviour: { parallel: 4, gate } });
  const { id } = await submit(tab, linesOf(12));
  // All but the one that is held back.
  while (tab.events.at(-1)?.completed !== 11) await turn();
  expect(tab.engine.mostRunning).toBe(3);
  open();
  const done = await until(tab, id, "completed");
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(
    linesOf(12).map((line) => JSON.parse(line).custom_id),
  );
  expect(tab.events.map((event) => event.completed)).toEqual(
    tab.events.map((event) => event.completed).toSorted((a, b) => a - b),
  );
  expect(await recordedBy(tab)).toEqual(linesOf(12).map((_, at) => `${id}:${at + 1}`));
});

test("a chat has its own place beside the lines that run", async () => {
  const { gate, open } = gateFor((prompt) => /line [1-9]/.test(prompt));
  const tab = await new BatchWorld().openTab({ behaviour: { parallel: 4, gate } });
  const { id } = await submit(tab, linesOf(9));
  while (tab.engine.running < 3) await turn();
  const messages = [{ role: "user" as const, content: "Say urgent" }];
  const { choices } = await tab.openai.chat.completions.create({ model: "infetch-tiny", messages });
  expect(choices).toHaveLength(1);
  expect(tab.engine.running).toBe(3);
  open();
  await until(tab, id, "completed");
});

test("a cancel breaks off all lines that run, which cost nothing", async () => {
  const gate = async (
    { prompt }: { prompt: string | readonly number[] },
    signal: AbortSignal,
  ): Promise<void> => {
    while (/line [4-9]/.test(String(prompt)) && !signal.aborted) await turn();
  };
  const tab = await new BatchWorld().openTab({ behaviour: { parallel: 4, gate } });
  const { id } = await submit(tab, linesOf(10));
  while (tab.engine.requests.length < 7 || tab.events.at(-1)?.completed !== 4) await turn();
  expect(tab.engine.running).toBe(3);
  await tab.openai.batches.cancel(id);
  const done = await until(tab, id, "cancelled");
  expect(done.request_counts).toEqual({ total: 10, completed: 4, failed: 6 });
  expect(await resultsOf(tab, done.error_file_id)).toHaveLength(6);
  expect(await recordedBy(tab)).toEqual([1, 2, 3, 4].map((line) => `${id}:${line}`));
  expect(tab.engine.requests).toHaveLength(7);
});

test("lines that have begun when the batch expires end; no other begins", async () => {
  const world = new BatchWorld();
  const { gate, open } = gateFor((prompt) => /line [1-9]/.test(prompt));
  const tab = await world.openTab({ behaviour: { parallel: 4, gate } });
  const { id } = await submit(tab, linesOf(10));
  while (tab.engine.running < 3) await turn();
  world.clock.advance(24 * 3_600_000);
  open();
  const done = await until(tab, id, "expired");
  expect(done.request_counts).toEqual({ total: 10, completed: 4, failed: 6 });
  expect(await recordedBy(tab)).toEqual([1, 2, 3, 4].map((line) => `${id}:${line}`));
});

test("a line that never answers does not keep a batch open: the wake after its end breaks it off", async () => {
  const world = new BatchWorld();
  const gate = stuckAt("line 2");
  const tab = await world.openTab({ behaviour: { gate } });
  const { id } = await submit(tab, linesOf(4));
  while (tab.events.at(-1)?.completed !== 2) await turn();
  tab.wake();
  world.clock.advance(23 * 3_600_000);
  tab.wake();
  for (let turns = 0; turns < 300; turns++) await turn();
  expect((await tab.openai.batches.retrieve(id)).status).toBe("in_progress");
  world.clock.advance(3_600_000);
  tab.wake();
  const done = await until(tab, id, "expired");
  expect(done.request_counts).toEqual({ total: 4, completed: 2, failed: 2 });
  const errors = await resultsOf(tab, done.error_file_id);
  expect(errors.map(({ error }) => error.code)).toEqual(["batch_expired", "batch_expired"]);
  expect(await recordedBy(tab)).toEqual([1, 2].map((line) => `${id}:${line}`));
});

test("wherever tabs die: each line has one result and one charge, and none is blamed that did not die twice", async () => {
  const scenario = fc.record({
    lines: fc.integer({ min: 1, max: 15 }),
    parallel: fc.integer({ min: 1, max: 5 }),
    // Each tab dies once it has told so many pieces of replies.
    deaths: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ lines, parallel, deaths, seed }) => {
      const world = new BatchWorld();
      const lengthOf = (prompt: string): number =>
        1 + ((Number(/line (\d+)/.exec(prompt)?.[1]) * 7 + seed) % 5);
      const behaviour = { parallel, reply: (prompt: string) => Array(lengthOf(prompt)).fill("a ") };
      let id: string | undefined;
      for (const pieces of deaths) {
        let left = pieces;
        const gate = (): Promise<void> => (--left >= 0 ? turn() : new Promise<void>(() => {}));
        const tab = await world.openTab({ behaviour: { ...behaviour, gate } });
        id ??= (await submit(tab, linesOf(lines))).id;
        const isOver = async () => (await tab.openai.batches.retrieve(id!)).status === "completed";
        while (left >= 0 && !(await isOver())) await turn();
        tab.die();
      }
      const tab = await world.openTab({ behaviour });
      id ??= (await submit(tab, linesOf(lines))).id;
      const done = await until(tab, id, "completed");
      const outputs = await resultsOf(tab, done.output_file_id);
      const errors = await resultsOf(tab, done.error_file_id);
      for (const { error } of errors) expect(error.code).toBe("line_crashed_server");
      if (deaths.length < 2) expect(errors).toEqual([]);
      const names = [...outputs, ...errors].map((line) => line.custom_id);
      expect(names.toSorted()).toEqual(
        linesOf(lines)
          .map((line) => JSON.parse(line).custom_id)
          .toSorted(),
      );
      const completed = outputs.map((line) => `${id}:${Number(line.custom_id.split(" ")[1]) + 1}`);
      expect(await recordedBy(tab)).toEqual(completed);
      const tokens = outputs.reduce((sum, line) => sum + line.response.body.usage.completion_tokens, 0);
      expect(done.usage!.output_tokens).toBe(tokens);
    }),
    { numRuns: 15 },
  );
});
