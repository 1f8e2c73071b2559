/** Chooses and starts the engine of a chat model. */

import type { EngineEvent } from "../../../src/protocol/events.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { ChatEngineName } from "../../engine-api/chat-engine.ts";
import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { DeviceChoice } from "../../engine-api/gpu.ts";
import { findAdapter, type GPUFault } from "../../engine-api/gpu-adapter.ts";
import { withHubToken } from "../../engine-api/hub-token.ts";
import type { ChatBuilds, LlamaCppGPU } from "../../engine-api/model-files.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import type { LoadableModel, StartContext, StartEngine } from "../scheduling/start-engine.ts";
import { chooseEngine, gpuFaultOf, MAX_LOSSES, substituteNote } from "./choose-engine.ts";
import { describeGPU, llamaCppFault } from "./llamacpp-device.ts";
import { RemoteChatEngine } from "./remote-engine.ts";

interface ChatEngineServices {
  options: Pick<ServerOptions, "engineURLs" | "hub" | "llamacpp" | "parallel">;
  /** The lock that engine workers watch. */
  serverLock: string;
  emit: (event: EngineEvent) => void;
  /** Shared by all engines of the server. */
  memory: Pick<MemoryBudget, "roomFor">;
}

/**
 * Starts chat engines, and tracks GPU failures and memory that the browser refused: after two GPU losses, or if the GPU
 * cannot load it, a model with a GGUF build falls back to llama.cpp in WebAssembly, reported by an `engine` event.
 */
export function createChatEngineStart(services: ChatEngineServices): StartEngine {
  const histories = new Map<string, StartHistory>();
  return async (model, context) => {
    const history = histories.get(model.id) ?? { losses: 0, isTight: false, hasMoved: false };
    histories.set(model.id, history);
    const report = (state: "fallback" | "note", reason: string) =>
      services.emit({ type: "engine", model: model.id, state, reason });
    while (true) {
      const choice = await choose(model, history, services.options.llamacpp?.device);
      if (!choice.onGPU && history.losses > 0 && !history.hasMoved) {
        history.hasMoved = true;
        report("fallback", "WebGPU failed: llama.cpp continues in WebAssembly");
      }
      context.signal.throwIfAborted();
      const attempt = { model, choice, history, mayShrink: canShrink(choice, history) };
      try {
        const engine = await startAttempt(services, attempt, context);
        for (const reason of engine.info.notes ?? []) report("note", reason);
        return engine;
      } catch (error) {
        const code = error instanceof EngineError ? error.code : undefined;
        if (choice.onGPU && code === "engine_lost" && !context.signal.aborted) history.losses += 1;
        if (!prepareRetry(attempt, code)) throw error;
      }
    }
  };
}

/** One start of an engine. */
interface Attempt {
  model: LoadableModel;
  choice: Choice;
  history: StartHistory;
  /** Whether the context window may be smaller, for want of memory. */
  mayShrink: boolean;
}

function canShrink({ build }: Choice, { isTight }: StartHistory): boolean {
  return !isTight && build?.contextWindow === undefined;
}

async function startAttempt(
  { options, serverLock, memory }: ChatEngineServices,
  { model, choice, history, mayShrink }: Attempt,
  { onProgress, onEnd, signal }: StartContext,
): Promise<RemoteChatEngine> {
  const { engine, onGPU, build, notes } = choice;
  let running: RemoteChatEngine | undefined;
  const worker = {
    workerURL: options.engineURLs[engine],
    name: `infetch-${engine}:${model.id}`,
    serverLock,
    onEnd: (reason: string, code: EngineErrorCode) => {
      if (code === "out_of_memory" && mayShrink) history.isTight = true;
      // Intended ends come from `signal` (unload) or `dispose` (everything else); any other end is a loss.
      if (onGPU && running && !running.isDisposed && !signal.aborted) history.losses += 1;
      onEnd(reason);
    },
    signal,
  };
  const free = memory.roomFor(model.id);
  const room = history.isTight ? { ...free, freeBytes: 0, idleBytes: 0 } : free;
  const files = build && { parallel: options.parallel, ...withHubToken(build, options.hub?.token), room };
  running = await RemoteChatEngine.start(worker, files, onProgress, notes);
  return running;
}

/** How starts and engines of a model failed on this device. */
interface StartHistory {
  /** How often the GPU was lost. */
  losses: number;
  /** It ran out of memory, or lost the GPU while loading: it starts with the smallest usual window. */
  isTight: boolean;
  /** Its fallback to WebAssembly was reported. */
  hasMoved: boolean;
}

/** An engine, and its files. */
interface Choice {
  engine: ChatEngineName;
  onGPU: boolean;
  build: ChatBuilds[ChatEngineName];
  /** Whether llama.cpp in WebAssembly may replace it. */
  mayFallBack: boolean;
  /** Why it is not the first choice. */
  notes: string[];
}

/** @param device the option `llamacpp.device` */
async function choose(
  model: LoadableModel,
  { losses }: StartHistory,
  device: DeviceChoice | undefined,
): Promise<Choice> {
  const found = await findAdapter();
  const gpuFault = gpuFaultOf(model, found);
  const engine = chooseEngine(model, { gpuFault, losses });
  const gpu = engine === "llamacpp" ? llamaCppGPU(found, device, losses) : undefined;
  const onGPU = engine === "webllm" || gpu !== undefined;
  const isForced = engine === "webllm" ? model.engine : device === "webgpu";
  const note = substituteNote(model, engine, gpuFault, onGPU);
  return {
    engine,
    onGPU,
    build: gpu ? { ...model.builds.llamacpp!, gpu } : model.builds[engine],
    mayFallBack: onGPU && model.builds.llamacpp !== undefined && !isForced,
    notes: note === undefined ? [] : [note],
  };
}

/** Notes why a start failed. @returns whether another one may succeed, with a smaller window or in WebAssembly */
function prepareRetry(
  { choice: { engine, onGPU, mayFallBack }, history, mayShrink }: Attempt,
  code: EngineErrorCode | undefined,
): boolean {
  if (mayShrink && (code === "out_of_memory" || (onGPU && code === "engine_lost"))) {
    history.isTight = true;
    if (code === "out_of_memory") return true;
  }
  const cannot = DEVICE_CANNOT.has(code) || (engine === "llamacpp" && LLAMACPP_CANNOT.has(code));
  if (!cannot || !mayFallBack) return false;
  history.losses += MAX_LOSSES;
  return true;
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
