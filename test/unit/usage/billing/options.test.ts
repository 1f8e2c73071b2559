import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../../src/options/resolve-options.ts";
import type { RuntimeOptions } from "../../../../src/options/runtime-options.ts";

beforeAll(
  () => void vi.stubGlobal("location", { href: "https://app.test/page", origin: "https://app.test" }),
);
afterAll(() => void vi.unstubAllGlobals());

const resolve = (options: RuntimeOptions) => resolveOptions(options, "https://app.test/package/index.js");

test("a ledger is kept by default, at the default prices and without grace", () => {
  expect(resolve({}).server).toMatchObject({
    billing: { storageName: "infetch", pricing: "default", graceMs: 0 },
    clockOffsetMs: 0,
  });
});

test("another ledger makes another server, other terms of the same ledger do not", () => {
  const sharedBy = (options: RuntimeOptions) => resolve(options).sharedBy;
  const servers: RuntimeOptions[] = [{}, { billing: false }, { storageName: "other" }];
  expect(new Set(servers.map(sharedBy)).size).toBe(3);
  for (const pricing of ["none", { m: { input: "1" } }] as const)
    expect(sharedBy({ billing: { pricing, graceMs: 86_400_000 } })).toBe(sharedBy({}));
  expect(resolve({ billing: false }).server.billing).toBe(false);
});

test.each<[RuntimeOptions, RegExp]>([
  [{ billing: { pricing: { m: { output: "0.0000001" } } } }, /output/],
  [{ billing: { pricing: { m: { embedding: "1.000001" } } } }, /half of 1.000001 is not exact/],
  [{ billing: { pricing: { m: { embedding: "1.0000010" } } } }, /half of 1.0000010 is not exact/],
])("%o is refused", (options, message) => {
  expect(() => resolve(options)).toThrow(TypeError);
  expect(() => resolve(options)).toThrow(message);
});
