/** Scopes and limits of a key apply to forwarded requests, too. */

import { toFile } from "openai";
import { afterEach, expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";
import {
  answerAll,
  sendJson,
  startUpstream,
  UPSTREAM_KEY,
  type UpstreamServer,
} from "../../support/upstream-server.ts";

const request = { ...hello, model: "big" };
let server: UpstreamServer;
afterEach(() => server.close());

async function open(answer: Parameters<typeof startUpstream>[0] = answerAll) {
  server = await startUpstream(answer);
  const upstream = { baseURL: server.baseURL, apiKey: UPSTREAM_KEY, models: ["big", "other"] };
  return new Origin().openTab({}, { upstream });
}

test("a model that the key may not use is refused before anything is sent, and not listed", async () => {
  const tab = await open();
  const { apiKey } = await tab.create({ models: ["big"] });
  expect((await tab.send(apiKey, CHAT, { ...request, model: "other" })).status).toBe(403);
  expect(server.seen).toEqual([]);
  expect((await tab.send(apiKey, CHAT, request)).status).toBe(200);
  const { data } = await (await tab.send(apiKey, "/v1/models")).json();
  expect(data.map(({ id }: { id: string }) => id)).toEqual(["big"]);
  expect((await tab.send(apiKey, "/v1/models/other")).status).toBe(403);
});

test("what the upstream has used counts for the key's quota, streams too", async () => {
  const tab = await open();
  const { apiKey } = await tab.create({ limits: { tokensPerDay: 28 } });
  expect((await tab.send(apiKey, CHAT, request)).status).toBe(200);
  await (await tab.send(apiKey, CHAT, { ...request, stream: true })).text();
  const refused = await tab.send(apiKey, CHAT, request);
  expect(refused.status).toBe(429);
  expect((await refused.json()).error.code).toBe("insufficient_quota");
  expect(server.seen).toHaveLength(2);
});

test("a request that the upstream fails gives its place back", async () => {
  let calls = 0;
  const tab = await open((seen, response) =>
    ++calls <= 2 ? sendJson(response, calls === 1 ? 500 : 200, []) : answerAll(seen, response),
  );
  const { apiKey } = await tab.create({ limits: { concurrentRequests: 1, tokensPerDay: 14 } });
  expect((await tab.send(apiKey, CHAT, request)).status).toBe(502);
  expect((await tab.send(apiKey, CHAT, request)).status).toBe(502);
  expect((await tab.send(apiKey, CHAT, request)).status).toBe(200);
});

test("the prompt of an upstream's model is not rendered here", async () => {
  const tab = await open();
  const { apiKey } = await tab.create({ models: ["big"] });
  for (const path of [`${CHAT}/render`, "/v1/responses/render", "/v1/responses/input_tokens"]) {
    for (const fields of [{ input: "Hi" }, { messages: 5 }]) {
      const response = await tab.send(apiKey, path, { ...request, ...fields });
      expect(response.status).toBe(400);
      expect((await response.json()).error).toMatchObject({ code: "invalid_value", param: "model" });
    }
    expect((await tab.send(apiKey, path, { ...request, model: "other" })).status).toBe(403);
  }
  expect(server.seen).toEqual([]);
});

test("a batch may be for an upstream's model, and its lines are recorded in the tier batch", async () => {
  const tab = await open();
  tab.runBatches();
  const client = tab.openai(tab.pageKey);
  const line = JSON.stringify({ custom_id: "one", method: "POST", url: CHAT, body: request });
  const file = await toFile(new TextEncoder().encode(line), "lines.jsonl");
  const { id: input_file_id } = await client.files.create({ file, purpose: "batch" });
  const made = await client.batches.create({ input_file_id, endpoint: CHAT, completion_window: "24h" });
  await expect.poll(async () => (await client.batches.retrieve(made.id)).status).toBe("completed");
  const { output_file_id } = await client.batches.retrieve(made.id);
  const result = JSON.parse(await (await client.files.content(output_file_id!)).text());
  expect(result.response.body).toMatchObject({
    model: "big",
    choices: [{ message: { content: "Far away." } }],
  });
  const [event] = unwrap(await tab.ledger.rpc.usage());
  expect(event).toMatchObject({ model: "big", tier: "batch", outputTokens: 3 });
});
