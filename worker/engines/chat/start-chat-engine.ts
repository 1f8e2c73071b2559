/** Chooses and starts the engine of a chat model. */

import type { EngineEvent, ServerOptions } from "../../../src/protocol/wire.ts";
import { EngineError } from "../api/engine-error.ts";
import { findAdapter } from "../api/gpu.ts";
import { withHubToken } from "../api/hub-token.ts";
import type { ChatEngine, ChatEngineName, MemoryRoom } from "../api/types.ts";
import type { LoadableModel, StartEngine } from "../scheduling/supervisor.ts";
import { chooseEngine, gpuFaultOf, MAX_LOSSES, substituteNote } from "./choose-engine.ts";
import { RemoteChatEngine } from "./remote-engine.ts";

/**
 * Starts chat engines and tracks GPU failures: after two GPU losses, or if the GPU cannot load it, a model with a GGUF
 * build falls back to llama.cpp, reported by an `engine` event.
 *
 * @param serverLock the lock that engine workers watch
 * @param roomFor the memory that a model may use
 */
export function createChatEngineStart(
  { engineURLs, hub }: Pick<ServerOptions, "engineURLs" | "hub">,
  serverLock: string,
  emit: (event: EngineEvent) => void,
  roomFor: (id: string) => MemoryRoom,
): StartEngine {
  const losses = new Map<string, number>();
  const moved = new Set<string>();

  const choose = async (model: LoadableModel): Promise<[ChatEngineName, notes: string[]]> => {
    const lost = losses.get(model.id) ?? 0;
    const gpuFault = gpuFaultOf(model, await findAdapter());
    const engine = chooseEngine(model, { gpuFault, losses: lost });
    if (engine === "llamacpp" && lost > 0 && !moved.has(model.id)) {
      moved.add(model.id);
      emit({
        type: "engine",
        model: model.id,
        state: "fallback",
        reason: "WebGPU was lost: llama.cpp continues",
      });
    }
    const note = substituteNote(model, engine, gpuFault);
    return [engine, note === undefined ? [] : [note]];
  };

  const start: StartEngine = async (model, onProgress, onEnd, signal) => {
    const [engine, notes] = await choose(model);
    let running: RemoteChatEngine | undefined;
    const noteLoss = (weight: number): void => {
      if (engine === "webllm") losses.set(model.id, (losses.get(model.id) ?? 0) + weight);
    };
    const worker = {
      workerURL: engineURLs[engine],
      name: `infetch-${engine}:${model.id}`,
      serverLock,
      onEnd: (reason: string) => {
        // Intended ends come from `signal` (unload) or `dispose` (everything else); any other end is a loss.
        if (running && !running.isDisposed && !signal.aborted) noteLoss(1);
        onEnd(reason);
      },
      signal,
    };
    try {
      const build = model.builds[engine];
      const roomy = build && { ...withHubToken(build, hub?.token), room: roomFor(model.id) };
      running = await RemoteChatEngine.start(worker, roomy, onProgress, notes);
      for (const reason of running.facts.notes ?? [])
        emit({ type: "engine", model: model.id, state: "note", reason });
      return running;
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      if (code === "engine_lost" && !signal.aborted) noteLoss(1);
      if (!DEVICE_CANNOT.has(code) || engine !== "webllm" || !model.builds.llamacpp || model.engine)
        throw error;
      noteLoss(MAX_LOSSES);
      return start(model, onProgress, onEnd, signal) as Promise<ChatEngine>;
    }
  };
  return start;
}

/** Errors for which a retry on the same GPU would fail again. */
const DEVICE_CANNOT = new Set<string | undefined>(["out_of_memory", "engine_unavailable"]);
