import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";

beforeEach(() => vi.stubGlobal("location", new URL("https://app.test/")));
afterEach(() => vi.unstubAllGlobals());

const resolve = (options: object) => resolveOptions(options as RuntimeOptions, undefined);
const cycle: { self?: object } = {};
cycle.self = cycle;

test.each<[object, string]>([
  [{ baseURL: "about:blank" }, "baseURL"],
  [{ baseURL: "data:text/plain,x" }, "baseURL"],
  [{ baseURL: "https://user@app.test/v1" }, "baseURL"],
  [{ baseURL: new URL("https://:secret@app.test/v1") }, "baseURL"],
  [{ models: [{ id: 1n }] }, "models"],
  [{ models: [cycle] }, "models"],
  [{ upstream: { baseURL: "https://gpu.test", timeout: 1n } }, "upstream"],
  [{ billing: { pricing: { any: { input: 1n } } } }, "billing.pricing"],
])("%o: a TypeError names %s", (options, name) => {
  expect(() => resolve(options)).toThrow(TypeError);
  expect(() => resolve(options)).toThrow(new RegExp(`^${name} must `));
});

test.each([
  ["/api/", "https://app.test/api"],
  ["http://localhost:1/v1?x#y", "http://localhost:1/v1"],
  [undefined, "https://app.test/v1"],
])("baseURL %s is %s", (baseURL, href) => {
  expect(resolve({ baseURL }).baseURL.href).toBe(href);
});

test.each(["file:///app/index.html", "app:///index.html"])(
  "the default of a page without a host, %s, is an address that a Request can have",
  (page) => {
    vi.stubGlobal("location", new URL(page));
    vi.stubGlobal("origin", page.replace(/\/[^/].*$|\/$/, ""));
    const { href } = resolve({}).baseURL;
    expect(href).toBe("https://infetch.invalid/v1");
    expect(new Request(`${href}/models`).url).toBe(`${href}/models`);
    // One that was set is not replaced.
    expect(() => resolve({ baseURL: "/v1" })).toThrow(/^baseURL must have a host/);
  },
);

test("in a worker from a blob, addresses resolve against the origin", () => {
  vi.stubGlobal("location", new URL("blob:https://app.test/0b5c"));
  const { baseURL, workerURLs } = resolve({ baseURL: "/api", assetsURL: "infetch" });
  expect(baseURL.href).toBe("https://app.test/api");
  expect(workerURLs.server.href).toBe("https://app.test/infetch/worker/server.js");
});
