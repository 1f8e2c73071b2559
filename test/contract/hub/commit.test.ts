/** All files of a hub model are of one commit, with the sizes and hashes that the hub lists. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { HUB_CHAT } from "../../support/deployment-app.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";
import { mlcFiles, SHARD_BYTES, SHARDS, shardOf } from "../../support/hub-files.ts";

let tested: HubApp;
let commit: string;
beforeEach(async () => {
  tested = await hubApp();
  commit = tested.repository.resolve("main")!.commit;
});
afterEach(() => tested.hub.close());

const folderOf = (revision: string): string => `/${HUB_CHAT}/resolve/${revision}/`;

async function storedShard(at: number): Promise<Buffer> {
  const key = `${tested.hub.url.slice(0, -1)}${folderOf("main")}params_shard_${at}.bin`;
  const stored = await tested.caches.of("webllm/model").match(key);
  return Buffer.from(await stored!.arrayBuffer());
}

test("a cold download asks for the files of one commit, and knows its size from the start", async () => {
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const ofModel = tested.files().filter((path) => !path.includes("libraries"));
  expect(ofModel).toHaveLength(SHARDS + 3);
  expect(ofModel.filter((path) => !path.startsWith(folderOf(commit)))).toEqual([]);
  const progress = tested.events.filter((event) => event.type === "progress" && event.phase === "download");
  const [first] = progress as { totalBytes: number }[];
  expect(first!.totalBytes).toBeGreaterThan(SHARDS * SHARD_BYTES);
  const models = await (await tested.get("/v1/models/hub-model")).json();
  const files = { ...mlcFiles(), library: "\0asm library", "README.md": "" };
  const size = Object.values(files).reduce((sum, { length }) => sum + length, 0);
  expect(models.infetch.download_bytes).toBe(size);
});

test("the next load asks nothing, offline too", async () => {
  await tested.chat();
  await tested.unload();
  tested.hub.seen = [];
  await tested.hub.close();
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.hub.seen).toEqual([]);
});

test.each([
  "null",
  "{}",
  '{"commit":5,"files":[]}',
  `{"commit":"${"a".repeat(40)}","files":{}}`,
  `{"commit":"${"a".repeat(40)}","files":[null]}`,
  `{"commit":"${"a".repeat(40)}","files":[{"name":"../x","bytes":"many"}]}`,
])("a stored list that is damaged (%s) is asked for again", async (damaged) => {
  await tested.chat();
  await tested.unload();
  const { entries } = tested.caches.of("infetch/hub");
  const [key] = entries.keys();
  entries.set(key!, new Response(damaged));
  tested.hub.seen = [];
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.files()).toEqual([]);
  expect(await entries.get(key!)!.clone().json()).toMatchObject({ commit });
});

test("a branch that moves in mid-download changes nothing: the files stay those of the first commit", async () => {
  tested.hub.onRequest = ({ path }) => {
    if (path.endsWith("shard_2.bin")) tested.repository.commit(mlcFiles(2));
  };
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(Buffer.compare(await storedShard(5), shardOf(1, 5))).toBe(0);
});

test("a commit that disappears in mid-download is replaced by the current one, in every file", async () => {
  tested.hub.onRequest = ({ path }) => {
    if (!path.includes(commit) || !path.endsWith("shard_2.bin")) return;
    tested.repository.commit(mlcFiles(2));
    tested.repository.forget(commit);
  };
  expect(await tested.chat()).toMatchObject({ status: 200 });
  for (let at = 0; at < SHARDS; at++) expect(Buffer.compare(await storedShard(at), shardOf(2, at))).toBe(0);
});

test("an interrupted download goes on with its commit after the branch has moved", async () => {
  const limited = { type: "status", status: 403 } as const;
  // Asked for once two of the first four are complete.
  tested.hub.faults.set("shard_5.bin", [limited]);
  expect(await tested.chat()).toMatchObject({ status: 502 });
  tested.repository.commit(mlcFiles(2));
  expect(await tested.chat()).toMatchObject({ status: 200 });
  for (let at = 0; at < SHARDS; at++) expect(Buffer.compare(await storedShard(at), shardOf(1, at))).toBe(0);
  const requests = [0, 1, 2, 3].map(
    (at) => tested.files().filter((path) => path.endsWith(`shard_${at}.bin`)).length,
  );
  expect(Math.min(...requests)).toBe(1);
});

test.each(["params_shard_1.bin", "tokenizer.json"])("a spoiled %s is fetched once more", async (name) => {
  tested.hub.faults.set(name, [{ type: "spoil" }]);
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.files().filter((path) => path.endsWith(name))).toHaveLength(2);
});

test.each(["params_shard_1.bin", "tokenizer.json"])("a %s that is spoiled twice is refused", async (name) => {
  tested.hub.faults.set(name, [{ type: "spoil" }, { type: "spoil" }]);
  const { status, error } = await tested.chat();
  expect([status, error?.code]).toEqual([502, "model_download_failed"]);
  expect(error?.message).toMatch(/size or hash differs from the published one/);
});

test("a cut connection goes on where it broke", async () => {
  tested.hub.faults.set("params_shard_1.bin", [{ type: "cut", afterBytes: 7_000 }]);
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const ranges = tested.hub.seen.flatMap(({ host, range }) => (host === "cdn" && range ? [range] : []));
  expect(ranges).toHaveLength(1);
  expect(Buffer.compare(await storedShard(1), shardOf(1, 1))).toBe(0);
});

test("the list of files may have pages", async () => {
  tested.hub.pageEntries = 3;
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.files().every((path) => !path.startsWith(folderOf("main")))).toBe(true);
});

test("a mirror without an API serves the branch", async () => {
  tested.hub.hasApi = false;
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const ofModel = tested.files().filter((path) => !path.includes("libraries"));
  expect(ofModel.filter((path) => !path.startsWith(folderOf("main")))).toEqual([]);
});

test("files from before the API answered are kept where they are those of the commit", async () => {
  tested.hub.hasApi = false;
  await tested.chat();
  await tested.unload();
  tested.hub.hasApi = true;
  tested.hub.seen = [];
  tested.repository.commit({ "params_shard_4.bin": shardOf(2, 4) });
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.files().map((path) => path.split("/").at(-1))).toEqual(["params_shard_4.bin"]);
});

test("a download that does not fit is refused before a shard is asked for", async () => {
  tested.environment.storage = { estimate: async () => ({ quota: 100_000, usage: 0 }) };
  const { status, error } = await tested.chat();
  expect([status, error?.code]).toEqual([507, "insufficient_storage"]);
  expect(tested.files().filter((path) => path.endsWith(".bin"))).toEqual([]);
});

test("a GGUF file that does not fit is refused before it is asked for", async () => {
  tested.environment.storage = { estimate: async () => ({ quota: 10, usage: 0 }) };
  const { status, error } = await tested.chat("acme/tiny-GGUF", "tiny-q4.gguf");
  expect([status, error?.code]).toEqual([507, "insufficient_storage"]);
  expect(tested.files()).toEqual([]);
});

test.each<[string, { link?: string; body?: string }]>([
  ["a page of another host", { link: '<https://elsewhere.test/api/models/x>; rel="next"' }],
  ["no list", { body: "{}" }],
  ["no JSON", { body: "<html>" }],
  ["a list without end", { body: `["${"a".repeat(17 * 2 ** 20)}"]` }],
])("a list of files with %s is not used, and the branch is served", async (_, { link = "", body = "[]" }) => {
  tested.environment.fetch = async (address, init) => {
    if (!String(address).includes("/tree/")) return fetch(address, init);
    return new Response(body, { headers: { link } });
  };
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.hub.seen.some(({ path }) => path.startsWith(`${folderOf("main")}params`))).toBe(true);
});

test.each([".wasm", "mlc-chat-config.json", "tensor-cache.json", "tokenizer.json"])(
  "another text in place of a %s without a hash is an error, and the next request fetches the file",
  async (ending) => {
    tested.hub.hasApi = false;
    const { fetch } = tested.environment;
    tested.environment.fetch = async (address, init) =>
      String(address).endsWith(ending) ? new Response("Please log in.") : fetch(address, init);
    const { status, error } = await tested.chat();
    expect([status, error?.code]).toEqual([503, "model_load_failed"]);
    tested.environment.fetch = fetch;
    expect(await tested.chat()).toMatchObject({ status: 200 });
  },
);
