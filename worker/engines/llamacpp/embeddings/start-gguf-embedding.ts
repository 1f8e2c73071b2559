/** Starts llama.cpp for an embedding model; loaded lazily with the first one. */

import type { EmbeddingEngine } from "../../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../../engine-api/embedding-model.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import { withHubToken } from "../../../engine-api/hub-token.ts";
import type { GgufFiles, MemoryRoom } from "../../../engine-api/model-files.ts";
import { RemoteEmbeddingEngine } from "../../embeddings/remote-embedding-engine.ts";
import { findFault, PROBES } from "../../embeddings/self-test.ts";
import type { StartContext } from "../../scheduling/start-engine.ts";
import type { GgufEmbeddingLoad } from "./gguf-embedding-engine.ts";

interface GgufEmbeddingStart {
  workerURL: string;
  serverLock: string;
  hubToken: string | undefined;
  /** Called for each note on the engine. */
  onNote: (modelId: string, note: string) => void;
  roomFor: (modelId: string) => MemoryRoom;
}

/** Longest input where memory is short: that of most models. */
const FEW_TOKENS = 512;

/**
 * Starts the engine, and once more for shorter inputs if the browser refuses memory for the usual ones.
 *
 * @param context its `onEnd` is called when the returned engine ends
 * @throws {EngineError}
 * @throws the signal's reason
 */
export async function startGgufEmbedding(
  start: GgufEmbeddingStart,
  model: EmbeddingModel & { gguf: GgufFiles },
  context: StartContext,
): Promise<EmbeddingEngine> {
  const engine = await attempt(start, model, context).catch(async (error: unknown) => {
    const isTight = error instanceof EngineError && error.code === "out_of_memory";
    if (!isTight || model.maxTokens !== undefined) throw error;
    const small = await attempt(start, model, context, FEW_TOKENS);
    const { maxTokens } = small.info;
    start.onNote(model.id, `Inputs have at most ${maxTokens} tokens: the browser refused memory for more.`);
    return small;
  });
  for (const note of engine.info.notes ?? []) start.onNote(model.id, note);
  return engine;
}

async function attempt(
  { workerURL, serverLock, hubToken, roomFor }: GgufEmbeddingStart,
  model: EmbeddingModel & { gguf: GgufFiles },
  { onProgress, onEnd, signal }: StartContext,
  mostTokens?: number,
): Promise<EmbeddingEngine> {
  const { id, hub, pooling, normalize, prefixes, maxTokens, shortestDimensions, knownRules, gguf } = model;
  const rules = { id, hub, pooling, normalize, prefixes, maxTokens, shortestDimensions, knownRules };
  const load: GgufEmbeddingLoad = {
    model: rules as GgufEmbeddingLoad["model"],
    files: { ...withHubToken(gguf, hubToken), room: roomFor(id) },
    ...(mostTokens === undefined ? {} : { mostTokens }),
    probes: PROBES,
  };
  let isAccepted = false;
  const worker = {
    workerURL,
    name: `infetch-llamacpp:${id}`,
    serverLock,
    onEnd: (reason: string) => isAccepted && onEnd(reason),
    signal,
  };
  const engine = await RemoteEmbeddingEngine.start(worker, load, onProgress);
  // Nothing else computes the same file: the test finds vectors that no model gives.
  const fault = findFault(engine.probes, undefined, "fp32");
  if (fault !== undefined) {
    engine.dispose(`its self-test failed: ${fault}`);
    throw new EngineError("engine_unavailable", `The self-test failed: ${fault}.`);
  }
  isAccepted = true;
  return engine;
}
