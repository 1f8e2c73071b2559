/** A file of a part never arrives: a request that waits for it holds its key's place until its caller aborts, no longer. */

import { afterAll, afterEach, expect, test, vi } from "vitest";

/** Which load hangs, by its source. */
const hanging = vi.hoisted(() => ({ part: "" }));

vi.mock("../../../worker/lazy/part.ts", async (original) => {
  const real = await original<typeof import("../../../worker/lazy/part.ts")>();
  const loadPart: typeof real.loadPart = (load, signal) => {
    const hangs = hanging.part !== "" && String(load).includes(hanging.part);
    return real.loadPart(hangs ? () => new Promise<never>(() => {}) : load, signal);
  };
  return { ...real, loadPart };
});

// Files of one process share their modules, and an earlier one may have loaded these without the fault.
vi.resetModules();
const { unwrap } = await import("../../ledger/support/world.ts");
const { CHAT, hello, Origin } = await import("../../support/keyed-app.ts");
const { embedder } = await import("../../support/test-app.ts");

afterEach(() => {
  hanging.part = "";
});
afterAll(() => {
  vi.resetModules();
});

const parameters = { type: "object", properties: {}, additionalProperties: false };
const tools = [{ type: "function", function: { name: "f", parameters } }];

test.each([
  ["prompt-by-", CHAT, hello],
  ["prompt-by-", CHAT, { ...hello, stream: true }],
  ["more-fields", CHAT, { ...hello, tools }],
  ["invalid-value", CHAT, { ...hello, temperature: "hot" }],
  ["model-names", CHAT, { ...hello, model: "unknown" }],
  ["constrained", CHAT, { ...hello, tools }],
  ["responses/handler", "/v1/responses", { model: "infetch-tiny", input: "Hi" }],
  ["embedding-batcher", "/v1/embeddings", { model: "infetch-tiny-embed", input: "Hi" }],
])("%s: %s", async (part, path, body) => {
  const tab = await new Origin().openTab({}, { models: [embedder] });
  const { apiKey, key } = await tab.create({ limits: { concurrentRequests: 1 } });
  const active = async () =>
    unwrap(await tab.keys.list()).find(({ id }) => id === key.id)!.usage.activeRequests;
  hanging.part = part;
  const abort = new AbortController();
  const request = new Request(`https://app.test${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  void tab.app.fetch(request).then((response) => response.text());
  await expect.poll(active).toBe(1);
  abort.abort();
  await expect.poll(active).toBe(0);
  hanging.part = "";
  expect((await tab.send(apiKey, CHAT, hello)).status).toBe(200);
});
