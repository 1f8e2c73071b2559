import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";

beforeAll(
  () => void vi.stubGlobal("location", { href: "https://app.test/pages/here", origin: "https://app.test" }),
);
afterAll(() => void vi.unstubAllGlobals());

test("without llamacpp.device the server gets none, and WebGPU is off", () => {
  const device = (llamacpp: RuntimeOptions["llamacpp"]) =>
    resolveOptions(llamacpp ? { llamacpp } : {}, "https://app.test/").server.llamacpp;
  expect(device(undefined)).toBeUndefined();
  expect(device({ device: "auto" })).toEqual({ device: "auto" });
});
