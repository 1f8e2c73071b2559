/** Chooses and starts the engine of a chat model. */

import type { EngineEvent, ServerOptions } from "../../../src/protocol/wire.ts";
import { EngineError, type EngineErrorCode } from "../api/engine-error.ts";
import { type DeviceChoice, findAdapter, type GPUFault } from "../api/gpu.ts";
import { withHubToken } from "../api/hub-token.ts";
import type { ChatBuilds, ChatEngine, ChatEngineName, LlamaCppGPU, MemoryRoom } from "../api/types.ts";
import type { LoadableModel, StartEngine } from "../scheduling/start-engine.ts";
import { chooseEngine, gpuFaultOf, MAX_LOSSES, substituteNote } from "./choose-engine.ts";
import { describeGPU, llamaCppFault } from "./llamacpp-device.ts";
import { RemoteChatEngine } from "./remote-engine.ts";

/**
 * Starts chat engines, and tracks GPU failures and memory that the browser refused: after two GPU losses, or if the GPU
 * cannot load it, a model with a GGUF build falls back to llama.cpp in WebAssembly, reported by an `engine` event.
 *
 * @param serverLock the lock that engine workers watch
 * @param roomFor the memory that a model may use
 */
export function createChatEngineStart(
  {
    engineURLs,
    hub,
    llamacpp,
    parallel,
  }: Pick<ServerOptions, "engineURLs" | "hub" | "llamacpp" | "parallel">,
  serverLock: string,
  emit: (event: EngineEvent) => void,
  roomFor: (id: string) => MemoryRoom,
): StartEngine {
  const losses = new Map<string, number>();
  const moved = new Set<string>();
  /** Models that ran out of memory, or lost the GPU while loading: started again with the smallest usual window. */
  const tight = new Set<string>();

  const choose = async (model: LoadableModel): Promise<Choice> => {
    const lost = losses.get(model.id) ?? 0;
    const found = await findAdapter();
    const gpuFault = gpuFaultOf(model, found);
    const engine = chooseEngine(model, { gpuFault, losses: lost });
    const gpu = engine === "llamacpp" ? llamaCppGPU(found, llamacpp?.device, lost) : undefined;
    const onGPU = engine === "webllm" || gpu !== undefined;
    if (!onGPU && lost > 0 && !moved.has(model.id)) {
      moved.add(model.id);
      emit({
        type: "engine",
        model: model.id,
        state: "fallback",
        reason: "WebGPU failed: llama.cpp continues in WebAssembly",
      });
    }
    const build = gpu ? { ...model.builds.llamacpp!, gpu } : model.builds[engine];
    const note = substituteNote(model, engine, gpuFault, onGPU);
    return { engine, onGPU, build, notes: note === undefined ? [] : [note] };
  };

  const start: StartEngine = async (model, onProgress, onEnd, signal) => {
    const { engine, onGPU, build, notes } = await choose(model);
    signal.throwIfAborted();
    const mayShrink = build?.contextWindow === undefined;
    const isFirst = !tight.has(model.id) && mayShrink;
    let running: RemoteChatEngine | undefined;
    const noteLoss = (weight: number): void => {
      if (onGPU) losses.set(model.id, (losses.get(model.id) ?? 0) + weight);
    };
    const worker = {
      workerURL: engineURLs[engine],
      name: `infetch-${engine}:${model.id}`,
      serverLock,
      onEnd: (reason: string, code: EngineErrorCode) => {
        if (code === "out_of_memory" && mayShrink) tight.add(model.id);
        // Intended ends come from `signal` (unload) or `dispose` (everything else); any other end is a loss.
        if (running && !running.isDisposed && !signal.aborted) noteLoss(1);
        onEnd(reason);
      },
      signal,
    };
    try {
      const room = tight.has(model.id)
        ? { ...roomFor(model.id), freeBytes: 0, idleBytes: 0 }
        : roomFor(model.id);
      const roomy = build && { parallel, ...withHubToken(build, hub?.token), room };
      running = await RemoteChatEngine.start(worker, roomy, onProgress, notes);
      for (const reason of running.facts.notes ?? [])
        emit({ type: "engine", model: model.id, state: "note", reason });
      return running;
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === "engine_lost" && !signal.aborted) noteLoss(1);
      if (isFirst && (code === "out_of_memory" || (onGPU && code === "engine_lost"))) {
        tight.add(model.id);
        if (code === "out_of_memory") return start(model, onProgress, onEnd, signal) as Promise<ChatEngine>;
      }
      const isForced = engine === "webllm" ? model.engine : llamacpp?.device === "webgpu";
      const cannot = DEVICE_CANNOT.has(code) || (engine === "llamacpp" && LLAMACPP_CANNOT.has(code));
      if (!cannot || !onGPU || !model.builds.llamacpp || isForced) throw error;
      noteLoss(MAX_LOSSES);
      return start(model, onProgress, onEnd, signal) as Promise<ChatEngine>;
    }
  };
  return start;
}

/** An engine, and its files. */
interface Choice {
  engine: ChatEngineName;
  onGPU: boolean;
  build: ChatBuilds[ChatEngineName];
  /** Why it is not the first choice. */
  notes: string[];
}

/**
 * The graphics card that llama.cpp uses; undefined if it computes in WebAssembly.
 *
 * @throws {EngineError} `engine_unavailable` if the options demand WebGPU and it cannot be used
 */
function llamaCppGPU(
  found: GPUAdapter | GPUFault,
  choice: DeviceChoice | undefined,
  losses: number,
): LlamaCppGPU | undefined {
  const fault = llamaCppFault(found, choice);
  if (fault && choice === "webgpu") throw new EngineError("engine_unavailable", fault.message);
  const isUsable = losses < MAX_LOSSES || choice === "webgpu";
  return fault || !isUsable ? undefined : describeGPU(found as GPUAdapter);
}

/** Errors for which a retry on the same GPU would fail again. */
const DEVICE_CANNOT = new Set<string | undefined>(["out_of_memory", "engine_unavailable"]);
/** llama.cpp aborts in many ways where its WebGPU backend cannot run a model; WebAssembly shows if the file is at fault. */
const LLAMACPP_CANNOT = new Set<string | undefined>(["model_load_failed", "engine_failed"]);
