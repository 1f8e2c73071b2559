/** Loading a model with web-llm, up to the library itself. */

import { afterEach, expect, test, vi } from "vitest";
import type { LoadProgress } from "../../../../worker/engine-api/load-progress.ts";
import type { ModelFiles } from "../../../../worker/engine-api/model-files.ts";

const ENGINE = "../../../../worker/engines/webllm";

afterEach(() => {
  vi.doUnmock("@mlc-ai/web-llm");
  vi.doUnmock(`${ENGINE}/load/model-files.ts`);
  vi.resetModules();
  vi.unstubAllGlobals();
});

test("a load that waits for its GPU device has reported that its download has ended: its time is limited", async () => {
  const limits = new Proxy({}, { get: () => 2 ** 31 });
  const adapter = { features: new Set(), limits, info: {} };
  vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
  vi.stubGlobal("__ENGINE_BUILD__", "test");
  vi.resetModules();
  vi.doMock("@mlc-ai/web-llm", () => ({
    MLCEngine: class {
      reload = (): Promise<void> => new Promise(() => {});
    },
  }));
  const config = { conv_template: { roles: {}, seps: [] } };
  vi.doMock(`${ENGINE}/load/model-files.ts`, () => ({
    DOWNLOAD_SHARE: 0.8,
    placeModelFiles: async () => ({ config, context: { memoryBytes: 9 }, downloadBytes: 7 }),
  }));
  const { loadModel } = await import("../../../../worker/engines/webllm/load-model.ts");
  const seen: LoadProgress[] = [];
  const files = { library: "m.wasm", sourceURL: "https://app.test/m/" } as ModelFiles;
  void loadModel(files, (progress) => seen.push(progress));
  const compiling = { phase: "compile", loadedBytes: 7, totalBytes: 7, fraction: 0.8, memoryBytes: 9 };
  await vi.waitFor(() => expect(seen).toEqual([compiling]), 30_000);
});
