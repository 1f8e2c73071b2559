/** The console's check for WebGPU. */

import { afterEach, expect, test, vi } from "vitest";
import { checkWebGPU, webgpu } from "../../../demo/store/webgpu.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  [undefined, "Yes"],
  [{}, "Yes"],
  [{ vendor: "maker", architecture: "", description: "" }, "maker"],
  [{ vendor: "maker", architecture: "one", description: "Card" }, "Card"],
])("an adapter with the info %j is named %s", async (info, name) => {
  const adapter = { info, features: new Set(["shader-f16"]) };
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
  await checkWebGPU();
  expect(webgpu.value).toEqual({ state: "present", name, features: ["shader-f16"] });
});

test("a check that throws ends too", async () => {
  const requestAdapter = (): never => {
    throw new Error("Not allowed.");
  };
  vi.stubGlobal("navigator", { gpu: { requestAdapter } });
  await checkWebGPU();
  expect(webgpu.value).toMatchObject({
    state: "missing",
    reason: expect.stringContaining("WebGPU found no graphics adapter on this device."),
  });
});
