/** The engine worker on web-llm's chat API for every model: served instead of the shipped one, so that none of it ships. */

import type { LoadProgress } from "../../../worker/engine-api/load-progress.ts";
import type { ModelFiles } from "../../../worker/engine-api/model-files.ts";
import { serveChatEngine } from "../../../worker/engines/chat/serve-chat-engine.ts";
import { toFailure } from "../../../worker/engines/webllm/failures.ts";
import { loadModel } from "../../../worker/engines/webllm/load-model.ts";
import { SingleEngine } from "../../../worker/engines/webllm/single/single-engine.ts";

const load = async (files: ModelFiles, onProgress: (progress: LoadProgress) => void) =>
  new SingleEngine(await loadModel(files, onProgress));

serveChatEngine(load, toFailure);
