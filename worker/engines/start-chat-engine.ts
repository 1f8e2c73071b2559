/** Which engine runs a chat model on this device, and its start. */

import type { ServerOptions } from "../../src/protocol/wire.ts";
import { EngineError } from "./engine-error.ts";
import { RemoteChatEngine } from "./remote-engine.ts";
import type { LoadableModel, StartEngine } from "./supervisor.ts";

/** @param serverLock the lock that engine workers watch */
export function createChatEngineStart(
  { engineURLs }: Pick<ServerOptions, "engineURLs">,
  serverLock: string,
): StartEngine {
  return (model, onProgress, onEnd) => {
    const build = requireBuild(model);
    const worker = { workerURL: engineURLs.webllm, name: `infetch-webllm:${model.id}`, serverLock, onEnd };
    return RemoteChatEngine.start(worker, build, onProgress);
  };
}

/** @throws {EngineError} `engine_unavailable` */
function requireBuild({ id, builds }: LoadableModel) {
  if (builds.webllm) return builds.webllm;
  throw new EngineError("engine_unavailable", `The model '${id}' has no build that an engine here can run.`);
}
