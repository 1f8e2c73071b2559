import type { ChatEngineName } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { faultOf, webllmLimits } from "../../engine-api/gpu.ts";
import type { GPUFault } from "../../engine-api/gpu-adapter.ts";
import type { ChatBuilds } from "../../engine-api/model-files.ts";

/** State of this device and of a model on it. */
interface Circumstances {
  /** The reason why the model cannot use WebGPU; undefined if it can. */
  gpuFault: GPUFault | undefined;
  /** How often the model's engine lost its GPU device. */
  losses: number;
}

/** GPU losses after which a model falls back to llama.cpp. */
export const MAX_LOSSES = 2;

/**
 * Chooses a chat model's engine: web-llm if WebGPU and an MLC build are available, otherwise llama.cpp if there is a
 * GGUF build. An engine set in the model's record is never replaced.
 *
 * @throws {EngineError} `engine_unavailable`; its message states what is missing
 */
export function chooseEngine(
  { id, builds, engine }: { id: string; builds: ChatBuilds; engine?: ChatEngineName },
  { gpuFault, losses }: Circumstances,
): ChatEngineName {
  const usable = !gpuFault && (losses < MAX_LOSSES || !builds.llamacpp);
  const wanted = engine ?? (builds.webllm && usable ? "webllm" : builds.llamacpp ? "llamacpp" : "webllm");
  if (!builds[wanted]) {
    const build = wanted === "webllm" ? "MLC build for WebGPU" : "GGUF file for llama.cpp";
    throw new EngineError(
      "engine_unavailable",
      `The model '${id}' has no ${build}, and its configuration allows no other engine.`,
    );
  }
  if (wanted === "llamacpp" || !gpuFault) return wanted;
  throw new EngineError(
    "engine_unavailable",
    engine
      ? `The configuration of '${id}' requires WebGPU. ${gpuFault.message}`
      : `The model '${id}' needs WebGPU: it has no GGUF file, which would run without. ${gpuFault.message}`,
  );
}

/** The reason why a chat model cannot use WebGPU here; undefined if it can. */
export function gpuFaultOf(
  { builds }: { builds: ChatBuilds },
  found: GPUAdapter | GPUFault,
): GPUFault | undefined {
  const { features, bufferBytes } = builds.webllm ?? {};
  return faultOf(found, { features, limits: webllmLimits(bufferBytes) });
}

/**
 * Why a model does not run in its first choice of build and engine: a sentence; undefined if it does.
 *
 * @param onGPU whether llama.cpp computes on WebGPU
 */
export function substituteNote(
  { builds, engine }: { builds: ChatBuilds; engine?: ChatEngineName },
  chosen: ChatEngineName,
  gpuFault: GPUFault | undefined,
  onGPU = false,
): string | undefined {
  const { webllm } = builds;
  if (chosen === "webllm") {
    return webllm?.insteadBecause && `The 32-bit build is used: ${webllm.insteadBecause}.`;
  }
  const what = onGPU ? "The MLC build" : "WebGPU";
  return webllm && gpuFault && !engine ? `${what} is not used: ${gpuFault.reason}.` : undefined;
}
