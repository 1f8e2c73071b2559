import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import type { StoredEntry } from "../../../worker/model-store/inventory.ts";
import { verifyEntries } from "../../../worker/model-store/maintenance.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a file is compared with the hash of its own path, although it ends in the name of another", async () => {
  const caches = new FakeCaches();
  const environment = { caches } as unknown as StoreEnvironment;
  const texts = { "model.onnx": "small", "onnx/model.onnx": "large" };
  const address = (name: string): string => `https://hub.test/org/model/resolve/main/${name}`;
  const entries = Object.entries(texts).map(([name, text]): StoredEntry => {
    caches.of("weights").entries.set(address(name), new Response(text));
    return {
      cache: "weights",
      key: address(name),
      address: address(name),
      bytes: text.length,
    } as StoredEntry;
  });
  const published = new Map(Object.entries(texts).map(([name, text]) => [name, sha256(text)]));
  expect(await verifyEntries(entries, published, environment)).toEqual([]);
  caches.of("weights").entries.set(address("model.onnx"), new Response("SMALL"));
  expect(await verifyEntries(entries, published, environment)).toEqual([address("model.onnx")]);
  expect([...caches.of("weights").entries.keys()]).toEqual([address("onnx/model.onnx")]);
});
