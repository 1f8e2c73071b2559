/** Key scopes apply to batches, and a batch outlives its key. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { chatLine, resultsOfFile } from "../../support/batches/lines.ts";
import { CHAT, type KeyedTab, Origin } from "../../support/keyed-app.ts";

async function fileOf(client: OpenAI): Promise<string> {
  const bytes = new TextEncoder().encode(chatLine("a"));
  const file = await OpenAI.toFile(bytes, "input.jsonl");
  return (await client.files.create({ file, purpose: "batch" })).id;
}

async function submit(client: OpenAI): Promise<OpenAI.Batch> {
  return client.batches.create({
    input_file_id: await fileOf(client),
    endpoint: CHAT,
    completion_window: "24h",
  });
}

/** A client with an unrestricted key of the same account. */
async function watcherOf(tab: KeyedTab, account: string): Promise<OpenAI> {
  return tab.openai((await tab.create({ account })).apiKey);
}

test("a key makes no batch for an endpoint that it may not call", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ endpoints: ["/v1/files", "/v1/batches", "/v1/embeddings"] });
  const refused = submit(tab.openai(apiKey));
  await expect(refused).rejects.toMatchObject({
    status: 403,
    code: "endpoint_not_allowed",
    param: "endpoint",
  });
  const { apiKey: noFiles } = await tab.create({ endpoints: [CHAT] });
  await expect(fileOf(tab.openai(noFiles))).rejects.toMatchObject({ status: 403 });
});

test("a line for a model that the key may not use is refused as outside of a batch", async () => {
  const tab = await new Origin().openTab();
  tab.runBatches();
  const { apiKey } = await tab.create({ account: "team", models: ["plain"] });
  const { id } = await submit(tab.openai(apiKey));
  const watcher = await watcherOf(tab, "team");
  await expect.poll(async () => (await watcher.batches.retrieve(id)).status).toBe("completed");
  const { error_file_id } = await watcher.batches.retrieve(id);
  const [line] = await resultsOfFile(watcher, error_file_id);
  expect(line.response).toMatchObject({ status_code: 403, body: { error: { code: "model_not_allowed" } } });
});

test("a batch whose key was revoked finishes, for the account that it was made for", async () => {
  const tab = await new Origin().openTab();
  const { apiKey, key } = await tab.create({ account: "team", models: ["infetch-*"] });
  const { id } = await submit(tab.openai(apiKey));
  unwrap(await tab.keys.revoke(key.id));
  tab.runBatches();
  const watcher = await watcherOf(tab, "team");
  await expect.poll(async () => (await watcher.batches.retrieve(id)).status).toBe("completed");
  const usage = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
  expect(usage).toMatchObject([{ transactionId: `${id}:1`, tier: "batch" }]);
});
