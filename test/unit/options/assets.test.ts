import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";

beforeAll(
  () => void vi.stubGlobal("location", { href: "https://app.test/pages/here", origin: "https://app.test" }),
);
afterAll(() => void vi.unstubAllGlobals());

/** Every URL from which the runtime loads package files. */
function addressesOf(options: RuntimeOptions): string[] {
  const { workerURLs, server } = resolveOptions(options, "https://app.test/package/index.js");
  const { engineURLs, modelsURL, embeddings } = server;
  return [
    workerURLs.server.href,
    workerURLs.broker.href,
    ...Object.values(engineURLs),
    modelsURL,
    embeddings.runtimeURL,
  ];
}

test("the package's files lie beside its entry", () => {
  const addresses = addressesOf({});
  expect(addresses).toContain("https://app.test/package/worker/server.js");
  for (const address of addresses) expect(address).toMatch(/^https:\/\/app\.test\/package\//);
});

test("in a classic script, which has no URL of its own, they lie beside the page", () => {
  expect(resolveOptions({}, undefined).workerURLs.server.href).toBe(
    "https://app.test/pages/worker/server.js",
  );
});

test("assetsURL moves all of them, with or without a slash at its end", () => {
  const expected = addressesOf({}).map((address) => address.replace("/package/", "/pages/infetch/"));
  expect(addressesOf({ assetsURL: "infetch" })).toEqual(expected);
  expect(addressesOf({ assetsURL: new URL("https://app.test/pages/infetch/") })).toEqual(expected);
});

test("models and ONNX Runtime can lie elsewhere still", () => {
  const addresses = addressesOf({
    assetsURL: "/infetch/",
    modelsURL: "/models",
    embeddings: { runtimeURL: "/onnx" },
  });
  expect(addresses.filter((address) => !address.startsWith("https://app.test/infetch/"))).toEqual([
    "https://app.test/models/",
    "https://app.test/onnx/",
  ]);
});
