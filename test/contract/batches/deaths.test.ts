/** Batch lines that crash the server: only the line itself fails, after its second crash. */

import { expect, test } from "vitest";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { fakeTokens } from "../../fakes/fake-embedding-engine.ts";
import { BatchWorld, type Tab, type TabOptions, turn, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, EMBEDDINGS, embeddingLine, resultsOf, submit } from "../../support/batches/lines.ts";
import { fc } from "../../support/random.ts";

interface Ends {
  tab: Tab;
  /** Number of servers that died. */
  deaths: number;
}

/** Restarts servers as they die, until all batches are completed. */
async function runToEnd(
  world: BatchWorld,
  ids: readonly string[],
  first: Mortal,
  parallel = 1,
): Promise<Ends> {
  for (let deaths = 0, mortal = first; ; deaths++, mortal = await openMortal(world, {}, parallel)) {
    while (true) {
      const states = await Promise.all(ids.map((id) => mortal.tab.openai.batches.retrieve(id)));
      if (states.every(({ status }) => status === "completed")) return { tab: mortal.tab, deaths };
      if (mortal.isDead()) break;
      await turn();
    }
    mortal.tab.die();
  }
}

interface Mortal {
  tab: Tab;
  isDead(): boolean;
}

/** Text that crashes the server. */
const DEADLY = "deadly!";
const [DEADLY_TOKEN] = fakeTokens("!", false);

/** A tab whose server hangs permanently once an engine receives a deadly text. */
async function openMortal(world: BatchWorld, options: TabOptions = {}, parallel = 1): Promise<Mortal> {
  let isDead = false;
  const orDie = (isDeadly: boolean): Promise<void> => {
    isDead ||= isDeadly;
    return isDead ? new Promise(() => {}) : Promise.resolve();
  };
  const tab = await world.openTab({
    behaviour: {
      parallel,
      reply: () => ["fine"],
      gate: ({ prompt }) => orDie(String(prompt).includes(DEADLY)),
    },
    ...options,
  });
  const embed = tab.embedder.embed.bind(tab.embedder);
  tab.embedder.embed = async (inputs) => {
    await orDie(inputs.some((tokens) => tokens.includes(DEADLY_TOKEN!)));
    return embed(inputs);
  };
  return { tab, isDead: () => isDead };
}

/** Per custom id: `"output"`, or the code from the error file. */
async function outcomes(tab: Tab, id: string): Promise<Record<string, string>> {
  const batch = await tab.openai.batches.retrieve(id);
  const outputs = await resultsOf(tab, batch.output_file_id);
  const errors = await resultsOf(tab, batch.error_file_id);
  expect(batch.request_counts).toEqual({
    total: outputs.length + errors.length,
    completed: outputs.length,
    failed: errors.length,
  });
  return Object.fromEntries([
    ...outputs.map((line) => [line.custom_id, "output"]),
    ...errors.map((line) => [line.custom_id, line.error?.code ?? line.response.body.error.code]),
  ]);
}

async function recordedBy(tab: Tab): Promise<string[]> {
  const usage = await tab.ledger.rpc.usage();
  return usage.ok ? usage.value.map((event) => event.transactionId) : [];
}

test("a line that brought two servers down is not run again: it fails with a code, and the batch goes on", async () => {
  const world = new BatchWorld();
  const first = await openMortal(world);
  const { id } = await submit(first.tab, [chatLine("one"), chatLine(DEADLY), chatLine("three")]);
  const { tab, deaths } = await runToEnd(world, [id], first);
  expect(deaths).toBe(2);
  expect(await outcomes(tab, id)).toEqual({
    one: "output",
    [DEADLY]: "line_crashed_server",
    three: "output",
  });
  const { error_file_id } = await tab.openai.batches.retrieve(id);
  const [lost] = await resultsOf(tab, error_file_id);
  expect(lost).toMatchObject({ custom_id: DEADLY, response: null, error: { message: expect.any(String) } });
  expect((await recordedBy(tab)).toSorted()).toEqual([`${id}:1`, `${id}:3`]);
});

test("of embeddings that an engine is given together only the one that kills fails", async () => {
  const world = new BatchWorld();
  const first = await openMortal(world);
  const names = Array.from({ length: 100 }, (_, at) => (at === 70 ? DEADLY : `text ${at}`));
  const { id } = await submit(
    first.tab,
    names.map((name) => embeddingLine(name)),
    EMBEDDINGS,
  );
  const { tab, deaths } = await runToEnd(world, [id], first);
  expect(deaths).toBe(2);
  const expected = names.map((name) => [name, name === DEADLY ? "line_crashed_server" : "output"]);
  expect(await outcomes(tab, id)).toEqual(Object.fromEntries(expected));
  expect(new Set(await recordedBy(tab)).size).toBe(99);
});

test("wherever deadly lines are, in batches side by side: they fail, all others are answered, each recorded once", async () => {
  const kinds = fc.array(fc.constantFrom(true, false, false), { minLength: 1, maxLength: 6 });
  const batch = fc.record({ endpoint: fc.constantFrom(CHAT, EMBEDDINGS), deadly: kinds });
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (batches, parallel) => {
        const world = new BatchWorld();
        const first = await openMortal(world, {}, parallel);
        const submitted: { id: string; expected: Record<string, string> }[] = [];
        for (const { endpoint, deadly } of batches) {
          const names = deadly.map((kills, at) => (kills ? `${DEADLY} ${at}` : `good ${at}`));
          const line = endpoint === CHAT ? chatLine : embeddingLine;
          const lines = names.map((name) => line(name));
          const { id } = await submit(first.tab, lines, endpoint);
          const expected = names.map((name) => [
            name,
            name.startsWith(DEADLY) ? "line_crashed_server" : "output",
          ]);
          submitted.push({ id, expected: Object.fromEntries(expected) });
        }
        const ids = submitted.map(({ id }) => id);
        const { tab } = await runToEnd(world, ids, first, parallel);
        for (const { id, expected } of submitted) expect(await outcomes(tab, id)).toEqual(expected);
        const recorded = await recordedBy(tab);
        expect(new Set(recorded).size).toBe(recorded.length);
        expect(recorded).toHaveLength(
          batches.flatMap(({ deadly }) => deadly).filter((kills) => !kills).length,
        );
      },
    ),
    { numRuns: 8 },
  );
});

test("a line that is to run by itself but cannot run now holds up no other batch", async () => {
  const world = new BatchWorld();
  const first = await openMortal(world);
  const chat = await submit(first.tab, [chatLine(DEADLY), chatLine("good")]);
  while (!first.isDead()) await turn();
  first.tab.die();
  let isOffline = true;
  const load = async () => {
    if (isOffline) throw new EngineError("model_download_failed", "No network.");
  };
  const second = await openMortal(world, { load, isOnline: () => !isOffline });
  const { id } = await submit(second.tab, [embeddingLine("a")], EMBEDDINGS);
  await until(second.tab, id, "completed");
  expect((await second.tab.openai.batches.retrieve(chat.id)).status).toBe("in_progress");
  isOffline = false;
  second.tab.wake();
  const { tab } = await runToEnd(world, [chat.id], second);
  expect(await outcomes(tab, chat.id)).toEqual({ [DEADLY]: "line_crashed_server", good: "output" });
});
