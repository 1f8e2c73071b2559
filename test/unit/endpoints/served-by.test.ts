import { expect, test } from "vitest";
import type { CatalogRecord } from "../../../worker/catalog/model-record.ts";
import { engineOf } from "../../../worker/endpoints/served-by.ts";

type Engines = Parameters<typeof engineOf>[1];

test.each([
  [{ device: "wasm" }, "transformers"],
  [{ device: "wasm", engine: "llamacpp" }, "llamacpp"],
])("the engine of an embedding model with %j is %s, also after it is unloaded", (info, engine) => {
  let loaded: object | undefined;
  const services = { embeddings: { info: () => loaded }, engines: {} } as unknown as Engines;
  const served = engineOf({ id: "m", kind: "embedding" } as CatalogRecord, services);
  expect(served()).toBeUndefined();
  loaded = info;
  expect(served()).toBe(engine);
  loaded = undefined;
  expect(served()).toBe(engine);
});
