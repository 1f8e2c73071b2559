/** The engine worker for chat on WebGPU. */

import { expose } from "comlink";
import { holdLock, watchLock } from "../../../src/protocol/liveness.ts";
import { EngineError, type EngineErrorCode } from "../engine-error.ts";
import type {
  EngineConnectMessage,
  EngineEndpoint,
  EngineResult,
  GenerateControl,
  GenerateMessage,
} from "../engine-wire.ts";
import type { LoadProgress } from "../types.ts";
import { toFailure } from "./failures.ts";
import { watchDeviceLoss } from "./gpu.ts";
import { WebllmEngine } from "./webllm-engine.ts";

let engine: WebllmEngine | undefined;

function endpoint(engineLock: string): EngineEndpoint {
  return {
    async ready() {
      await holdLock(engineLock);
      return true;
    },
    load: (model, progress) =>
      answer("model_load_failed", async () => {
        engine = await WebllmEngine.load(model, (state: LoadProgress) => progress.postMessage(state));
        return engine.facts;
      }),
    countTokens: (prompt) => answer("engine_failed", async () => loaded().countTokens(prompt)),
    decode: (tokens) => answer("engine_failed", async () => loaded().decode(tokens)),
    async generate(request, port) {
      const post = (message: GenerateMessage): void => port.postMessage(message);
      const abort = new AbortController();
      port.onmessage = ({ data }: MessageEvent<GenerateControl>) => {
        if (data.type === "abort") abort.abort();
      };
      try {
        for await (const step of loaded().generate(request, abort.signal)) post(step);
      } catch (error) {
        const failure = toFailure(error, "engine_failed");
        post({ type: "error", error: failure });
        // What failed for an unknown reason is not to be trusted: the supervisor starts a fresh worker.
        if (failure.code === "engine_failed") self.close();
      }
    },
  };
}

function loaded(): WebllmEngine {
  if (!engine) throw new EngineError("engine_failed", "No model is loaded in this engine.");
  return engine;
}

async function answer<T>(otherwise: EngineErrorCode, work: () => Promise<T>): Promise<EngineResult<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: toFailure(error, otherwise) };
  }
}

// A lost device takes all tensors with it: end, so that the lock tells the supervisor.
watchDeviceLoss(() => self.close());

self.addEventListener("message", ({ data }: MessageEvent<EngineConnectMessage>) => {
  if (data?.type !== "connect") return;
  expose(endpoint(data.engineLock), data.port);
  watchLock(data.serverLock, () => self.close());
});
