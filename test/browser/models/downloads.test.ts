/** Downloads of the built-in model that break, are corrupt, cancelled or over quota, in Chromium. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ModelManifest } from "../../../src/protocol/options/own-models.ts";
import { type ModelPage, type RunningPage, startModelPage } from "./support/model-page.ts";

const MODEL = "infetch-tiny";
const SHARD = "params_shard_0.bin";
const MANIFEST = new URL(`../../../dist/models/${MODEL}/infetch-model.json`, import.meta.url);
/** What WebGPU loads: all files of the manifest but the GGUF. */
const FILES = (JSON.parse(readFileSync(MANIFEST, "utf8")) as ModelManifest).files.filter(
  ({ name }) => !name.endsWith(".gguf"),
);
const HELLO = {
  model: MODEL,
  messages: [{ role: "user", content: "Hello!" }],
  temperature: 0,
  max_tokens: 5,
};

let tested: ModelPage;
beforeAll(async () => {
  tested = await startModelPage();
});
afterAll(() => tested?.close());

beforeEach(async () => {
  await tested.open();
  await tested.page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  tested.server.mishaps.clear();
  tested.server.seen = [];
});

const models = <T>(call: (runtime: RunningPage["runtime"]) => Promise<T>): Promise<T> =>
  tested.page.evaluate(`(${call})(globalThis.runtime)`) as Promise<T>;

/** The ledger, which all tests share. */
const recorded = () => models((runtime) => runtime.usage.list());

function firstByteOf(range: string | undefined): number {
  return Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
}

const loadedBytes = (): Promise<number | undefined> =>
  tested.page.evaluate(() => (globalThis as unknown as RunningPage).progress.at(-1)?.loadedBytes);

test("a shard whose connection breaks twice goes on where it broke, and is right", async () => {
  const before = await recorded();
  const breaks = [1_500_000, 700_000];
  tested.server.mishaps.set(
    SHARD,
    breaks.map((afterBytes) => ({ type: "hang", afterBytes })),
  );
  const asked = tested.ask(HELLO);
  const smallFiles = FILES.filter(({ name }) => name !== SHARD).reduce((sum, { bytes }) => sum + bytes, 0);
  for (const loaded of [1_500_000, 2_200_000]) {
    // A browser discards undelivered bytes when a connection breaks.
    await expect.poll(loadedBytes).toBe(smallFiles + loaded);
    tested.server.cutHanging();
  }
  const { status, body } = await asked;
  expect(status).toBe(200);
  expect(tested.ranges(SHARD)).toEqual([undefined, "bytes=1500000-", "bytes=2200000-"]);
  expect(tested.server.seen.filter(({ path }) => path.endsWith(SHARD))[1]?.ifRange).toBe('"1"');
  const progress = await tested.page.evaluate(() => (globalThis as unknown as RunningPage).progress);
  const loaded = progress.map(({ loadedBytes }) => loadedBytes);
  expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
  expect(await models((runtime) => runtime.models.cached())).toEqual([
    expect.objectContaining({ model: MODEL, complete: true, partialBytes: 0 }),
  ]);
  // The request's own tokens are charged, and nothing for the load.
  const { prompt_tokens, completion_tokens } = (body as { usage?: Record<string, number> }).usage!;
  expect((await recorded()).slice(before.length)).toMatchObject([
    { outcome: "completed", inputTokens: prompt_tokens, outputTokens: completion_tokens },
  ]);
});

test("a spoiled shard is refused and fetched again; spoiled twice it is an error, and mended the next time", async () => {
  const before = await recorded();
  tested.server.mishaps.set(SHARD, [{ type: "spoil" }]);
  const right = await tested.ask(HELLO);
  expect(right.status).toBe(200);
  expect(tested.ranges(SHARD)).toEqual([undefined, undefined]);

  await models((runtime) => runtime.models.unload("infetch-tiny"));
  await models((runtime) => runtime.models.delete("infetch-tiny"));
  expect(await models((runtime) => runtime.models.cached())).toEqual([]);
  tested.server.mishaps.set(SHARD, [{ type: "spoil" }, { type: "spoil" }]);
  const refused = await tested.ask(HELLO);
  expect(refused).toMatchObject({
    status: 502,
    body: { error: { code: "model_download_failed", message: expect.stringMatching(/size or hash/) } },
  });
  const mended = await tested.ask(HELLO);
  expect(mended.body.choices![0]!.message).toEqual(right.body.choices![0]!.message);
  // The two answers, and nothing for the refusal.
  expect(await recorded()).toHaveLength(before.length + 2);
});

test("a cancelled load keeps what has come, over a reload too", async () => {
  // More than one part, so that one is stored when the worker is ended.
  tested.server.mishaps.set(SHARD, [{ type: "hang", afterBytes: 4_800_000 }]);
  const outcome = await tested.page.evaluate(async () => {
    const { runtime } = globalThis as unknown as RunningPage;
    const abort = new AbortController();
    runtime.on("progress", ({ loadedBytes }) => {
      if (loadedBytes > 4_700_000) abort.abort(new Error("Enough."));
    });
    return runtime.models.load("infetch-tiny", { signal: abort.signal }).then(
      () => "loaded",
      (error: Error) => error.message,
    );
  });
  expect(outcome).toBe("Enough.");
  const [kept] = await models((runtime) => runtime.models.cached());
  expect(kept).toMatchObject({ model: MODEL, complete: false });
  expect(kept!.partialBytes).toBeGreaterThanOrEqual(4 * 2 ** 20);
  await tested.open();
  expect((await tested.ask(HELLO)).status).toBe(200);
  expect(firstByteOf(tested.ranges(SHARD).at(-1))).toBe(kept!.partialBytes);
});

test("whoever waits for a load that is cancelled is told so, and may ask again", async () => {
  tested.server.mishaps.set(SHARD, [{ type: "hang", afterBytes: 1000 }]);
  const waiting = tested.ask(HELLO);
  await expect.poll(() => tested.ranges(SHARD).length).toBe(1);
  await models((runtime) => runtime.models.cancel("infetch-tiny"));
  expect(await waiting).toMatchObject({ status: 503, body: { error: { code: "load_cancelled" } } });
  expect((await tested.ask(HELLO)).status).toBe(200);
});

test("verification finds the file that went bad on the disk, and only that one comes again", async () => {
  await tested.ask(HELLO);
  await models((runtime) => runtime.models.unload("infetch-tiny"));
  expect(await models((runtime) => runtime.models.verify("infetch-tiny"))).toMatchObject({ broken: [] });
  await tested.page.evaluate(async () => {
    const cache = await caches.open("webllm/model");
    const request = (await cache.keys()).find(({ url }) => url.endsWith(".bin"))!;
    const response = (await cache.match(request))!;
    const bytes = new Uint8Array(await response.arrayBuffer());
    bytes[1000]! ^= 1;
    await cache.put(request, new Response(bytes, { headers: response.headers }));
  });
  tested.server.seen = [];
  const report = await models((runtime) => runtime.models.verify("infetch-tiny"));
  expect(report).toEqual({ model: MODEL, files: FILES.length, broken: [SHARD] });
  expect((await models((runtime) => runtime.models.cached()))[0]).toMatchObject({ complete: false });
  expect((await tested.ask(HELLO)).status).toBe(200);
  expect(tested.server.seen.filter(({ path }) => path.includes("/models/")).length).toBe(1);
});

test("where the browser has no room, that is what the answer says, and nothing half-stored is left", async () => {
  const session = await tested.context.newCDPSession(tested.page);
  const { origin } = tested.server;
  const before = await recorded();
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1_000_000 });
  try {
    expect(await tested.ask(HELLO)).toMatchObject({
      status: 507,
      body: {
        error: {
          code: "insufficient_storage",
          message: expect.stringMatching(/params_shard_0.bin needs 4.9 MB/),
        },
      },
    });
    const [kept] = await models((runtime) => runtime.models.cached());
    expect(kept).toMatchObject({ complete: false, partialBytes: 0 });
    expect(await recorded()).toEqual(before);
  } finally {
    await session.send("Storage.overrideQuotaForOrigin", { origin });
  }
  expect((await tested.ask(HELLO)).status).toBe(200);
  expect(await recorded()).toHaveLength(before.length + 1);
  const report = await models((runtime) => runtime.models.storage());
  expect(report.usageBytes).toBeGreaterThan(4_894_848);
  expect(report.quotaBytes).toBeGreaterThan(report.usageBytes!);
});
