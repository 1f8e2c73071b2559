/** Keys with real IndexedDB and Web Locks: after reloads, in two tabs, and after a tab is killed. */

import { createRuntime, type Runtime } from "infetch";
import type { ApiKey } from "infetch/keys";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { freshLedgerName, runtimeInFrame } from "../billing/support/frames.ts";

const EMBED = { model: "infetch-tiny-embed", input: "A short text" };
const CHAT = {
  model: "infetch-tiny",
  messages: [{ role: "user" as const, content: "Count from one to one hundred." }],
  max_tokens: 200,
};

function clientOf(runtime: Runtime, apiKey: string, maxRetries = 0): OpenAI {
  const { baseURL, fetch } = runtime;
  return new OpenAI({ apiKey, baseURL, fetch, maxRetries, dangerouslyAllowBrowser: true });
}

/** All rows of all databases of this origin, as JSON. */
async function everythingStored(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name!));
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store);
      texts.push(`${name}/${store}`);
      for (const row of await settled(all.getAll())) texts.push(JSON.stringify(row) ?? String(row));
      texts.push(JSON.stringify(await settled(all.getAllKeys())));
    }
    database.close();
  }
  return texts.join("\n");
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function keyOf(runtime: Runtime, id: string): Promise<ApiKey> {
  return (await runtime.keys.list()).find((key) => key.id === id)!;
}

test("a key outlives its page with its counters and its account, in two tabs; revoked, it ends in both", async () => {
  const options = { storageName: freshLedgerName() };
  const first = await createRuntime(options);
  const { apiKey, key } = await first.keys.create({
    name: "phone",
    account: "family",
    models: ["infetch-tiny-*"],
    // Counters of the month: the first load of the model may outlast a minute.
    limits: { requestsPerMinute: 5, tokensPerMonth: 10_000 },
  });
  const { usage } = await clientOf(first, apiKey).embeddings.create(EMBED);
  first.close();

  const tabs = [await createRuntime(options), await runtimeInFrame(options)];
  const { response } = await clientOf(tabs[1]!, apiKey).embeddings.create(EMBED).withResponse();
  expect(response.headers.get("x-ratelimit-limit-requests")).toBe("5");
  const listed = await keyOf(tabs[0]!, key.id);
  expect(listed).toMatchObject({
    account: "family",
    usage: { activeRequests: 0, month: { tokens: 2 * usage.total_tokens } },
  });
  expect((await tabs[0]!.usage.list({ account: "family" })).map(({ model }) => model)).toEqual([
    EMBED.model,
    EMBED.model,
  ]);
  const models = await clientOf(tabs[0]!, apiKey).models.list();
  expect(models.data.map(({ id }) => id)).toEqual(["infetch-tiny-vision", "infetch-tiny-embed"]);
  await expect(clientOf(tabs[0]!, apiKey).chat.completions.create(CHAT)).rejects.toBeInstanceOf(
    OpenAI.PermissionDeniedError,
  );

  const [, , secret] = apiKey.split("-") as [string, string, string];
  const pageSecret = tabs[0]!.apiKey.split("-")[2]!;
  const stored = await everythingStored();
  expect(stored).toContain(key.id);
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(pageSecret);

  await tabs[1]!.keys.revoke(key.id);
  for (const tab of tabs) {
    await expect(clientOf(tab, apiKey).models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    expect(await tab.keys.list()).toEqual([]);
    tab.close();
  }
});

test("a burst from two tabs gets what is allowed, and every error is the SDK's own", async () => {
  const options = { storageName: freshLedgerName() };
  const tabs = [await createRuntime(options), await runtimeInFrame(options)];
  const { apiKey } = await tabs[0]!.keys.create({ name: "burst", limits: { requestsPerMinute: 6 } });
  const calls = Array.from({ length: 20 }, (_, at) => clientOf(tabs[at % 2]!, apiKey).models.list());
  const ended = await Promise.allSettled(calls);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
  for (const one of ended) {
    if (one.status === "fulfilled") continue;
    expect(one.reason).toBeInstanceOf(OpenAI.RateLimitError);
    expect(one.reason).toMatchObject({ code: "rate_limit_exceeded", type: "requests" });
    const waitMs = Number(one.reason.headers.get("retry-after-ms"));
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(61_000);
  }
  await expect(tabs[1]!.keys.rotate("nobody")).rejects.toMatchObject({
    name: "KeyError",
    code: "key_not_found",
  });
  for (const tab of tabs) tab.close();
});

test("a tab that is killed in the middle of a stream gives its place back", async () => {
  const options = { storageName: freshLedgerName() };
  const runtime = await createRuntime(options);
  const { apiKey, key } = await runtime.keys.create({ name: "one", limits: { concurrentRequests: 1 } });
  const dying = await runtimeInFrame(options);
  const frame = document.querySelector("iframe:last-of-type")!;
  // Long enough to be still running when the tab is killed.
  const endless = { ...CHAT, n: 128, stream: true } as const;
  await clientOf(dying, apiKey).chat.completions.create(endless);
  await expect(clientOf(runtime, apiKey).models.list()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  frame.remove();
  const models = await clientOf(runtime, apiKey, 100).models.list();
  expect(models.data.length).toBeGreaterThan(0);
  expect((await keyOf(runtime, key.id)).usage.activeRequests).toBe(0);
  runtime.close();
});
