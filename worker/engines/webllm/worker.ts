/** The engine worker for chat on WebGPU. */

import { EngineError } from "../engine-error.ts";
import type { EngineEndpoint, GenerateControl, GenerateMessage } from "../engine-wire.ts";
import { answerWith, serveEngine } from "../serve-engine.ts";
import type { LoadProgress } from "../types.ts";
import { toFailure } from "./failures.ts";
import { WebllmEngine } from "./webllm-engine.ts";

let engine: WebllmEngine | undefined;
const answer = answerWith(toFailure);

const endpoint: Omit<EngineEndpoint, "ready"> = {
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

function loaded(): WebllmEngine {
  if (!engine) throw new EngineError("engine_failed", "No model is loaded in this engine.");
  return engine;
}

serveEngine(endpoint);
