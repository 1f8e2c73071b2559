/** What an MLC build says about itself is checked before its weights are downloaded. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { type HubApp, hubApp } from "../../support/hub-app.ts";
import { mlcFiles, SHARD_BYTES, SHARDS } from "../../support/hub-files.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(() => tested.hub.close());

const config = (changes: object) => ({
  "mlc-chat-config.json": JSON.stringify({
    ...(JSON.parse(mlcFiles()["mlc-chat-config.json"] as string) as object),
    ...changes,
  }),
});

test.each([
  [
    "a configuration that is no JSON",
    { "mlc-chat-config.json": "<html>" },
    /mlc-chat-config.json is not valid JSON/,
  ],
  ["a template of an early version", config({ conv_template: "llama-2" }), /early version of MLC/],
  ["a list without weights", { "tensor-cache.json": "{}" }, /does not list its weights/],
  ["a list with gaps", { "tensor-cache.json": '{"records":[null]}' }, /does not list its weights/],
  [
    "weights without end",
    { "tensor-cache.json": '{"records":[{"dataPath":"a.bin","nbytes":1e999}]}' },
    /does not list its weights/,
  ],
  ["an empty tokenizer", { "tokenizer.json": "{}" }, /tokenizer.json has no vocabulary/],
  [
    "a tokenizer of another kind",
    { "tokenizer.json": JSON.stringify({ model: { type: "Tekken", vocab: {} } }) },
    /tokenizer type 'Tekken' is not supported/,
  ],
])("%s is refused, and no weights are asked for", async (_, files, message) => {
  tested.repository.commit({ ...mlcFiles(), ...files });
  expect(await tested.chat()).toMatchObject({
    status: 503,
    error: { code: "model_load_failed", message: expect.stringMatching(message) },
  });
  expect(tested.files().filter((path) => path.endsWith(".bin"))).toEqual([]);
});

test("weights without room in storage are refused before the tokenizer", async () => {
  const weights = SHARDS * SHARD_BYTES;
  tested.environment.storage = { estimate: async () => ({ quota: weights, usage: 1_000 }) };
  expect(await tested.chat()).toMatchObject({ status: 507, error: { code: "insufficient_storage" } });
  expect(
    tested
      .files()
      .map((path) => path.split("/").at(-1))
      .sort(),
  ).toEqual(["mlc-chat-config.json", "tensor-cache.json"]);
});

test("files come in order: configuration, tokenizer and library, weights", async () => {
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const names = tested.files().map((path) => path.split("/").at(-1)!);
  const rank = (name: string): number =>
    /mlc-chat|tensor-cache/.test(name) ? 0 : name.endsWith(".bin") ? 2 : 1;
  expect(names.map(rank)).toEqual(names.map(rank).sort());
  expect(new Set(names.map(rank)).size).toBe(3);
});
