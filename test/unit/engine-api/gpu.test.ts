import { afterEach, expect, test, vi } from "vitest";
import { findAdapter } from "../../../worker/engine-api/gpu-adapter.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a browser that never says whether there is a graphics card has none", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("navigator", { gpu: { requestAdapter: () => new Promise(() => {}) } });
  const found = findAdapter();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await found).toMatchObject({ reason: "WebGPU did not answer" });
});

test("one that says so leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const adapter = {};
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
  expect(await findAdapter()).toBe(adapter);
  expect(vi.getTimerCount()).toBe(0);
});
