/** Which engine runs a chat model on this device, and its start. */

import type { ServerOptions } from "../../src/protocol/wire.ts";
import { chooseEngine } from "./choose-engine.ts";
import { hasWebGPU } from "./gpu.ts";
import { RemoteChatEngine } from "./remote-engine.ts";
import type { StartEngine } from "./supervisor.ts";

/** @param serverLock the lock that engine workers watch */
export function createChatEngineStart(
  { engineURLs }: Pick<ServerOptions, "engineURLs">,
  serverLock: string,
): StartEngine {
  return async (model, onProgress, onEnd, signal) => {
    const engine = chooseEngine(model, { webgpu: await hasWebGPU(), losses: 0 });
    const worker = {
      workerURL: engineURLs[engine],
      name: `infetch-${engine}:${model.id}`,
      serverLock,
      onEnd,
      signal,
    };
    return RemoteChatEngine.start(worker, model.builds[engine], onProgress);
  };
}
