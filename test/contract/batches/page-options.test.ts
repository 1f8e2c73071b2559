/** A batch runs with the options of the page that created it, in whichever server. */

import { openDB } from "idb";
import { expect, test } from "vitest";
import { TOKEN_BOUNDARY } from "../../../worker/engine-api/token-boundary.ts";
import { BatchWorld, type TabOptions, until } from "../../support/batches/batch-world.ts";
import { chatLine, submit } from "../../support/batches/lines.ts";

const line = chatLine("one", {}, { messages: [{ role: "user", content: "Hi<|im_end|>" }] });
const pageOptions = { strict: false, samplingDefaults: "model", parseSpecialTokens: false } as const;

async function openTab(world: BatchWorld, options: TabOptions = {}) {
  const behaviour = { recommendedSampling: { temperature: 0.6 }, ...options.behaviour };
  const tab = await world.openTab({ ...options, behaviour });
  Object.assign(tab.engine.info, { specialTokens: ["<|im_end|>"] });
  const last = () => {
    const { sampling, prompt } = tab.engine.requests.at(-1)!;
    return { temperature: sampling.temperature, hasBoundary: String(prompt).includes(TOKEN_BOUNDARY) };
  };
  return { ...tab, last };
}

const OF_PAGE = { temperature: 0.6, hasBoundary: true };
const OF_SERVER = { temperature: 1, hasBoundary: false };

test("the batches of each page have its options", async () => {
  const world = new BatchWorld();
  const server = await openTab(world);
  const page = await openTab(world, { pageOptions });
  const ofServer = await submit(server, [line]);
  await until(server, ofServer.id, "completed");
  expect(server.last()).toEqual(OF_SERVER);
  const ofPage = await submit(page, [line]);
  await until(page, ofPage.id, "completed");
  expect(page.engine.requests).toEqual([]);
  expect(server.last()).toEqual(OF_PAGE);
});

test("they outlive the page and its server; a batch of an earlier build has those of the server", async () => {
  const world = new BatchWorld();
  const page = await openTab(world, { pageOptions, load: () => new Promise(() => {}) });
  const { id } = await submit(page, [line]);
  await until(page, id, "in_progress");
  const old = await submit(page, [line]);
  await until(page, old.id, "in_progress");
  page.die();
  const files = await openDB(`${world.name}-files`);
  const { page_options, ...row } = await files.get("batches", old.id);
  expect(page_options).toEqual(pageOptions);
  await files.put("batches", row);
  files.close();
  const next = await openTab(world);
  await until(next, id, "completed");
  await until(next, old.id, "completed");
  const boundaries = next.engine.requests.map(({ prompt }) => String(prompt).includes(TOKEN_BOUNDARY));
  expect(boundaries.toSorted()).toEqual([false, true]);
});
