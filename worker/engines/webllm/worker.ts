/** The engine worker for chat on WebGPU. */

import { serveChatEngine } from "../chat/serve-chat-engine.ts";
import { loadEngine } from "./choose.ts";
import { toFailure } from "./failures.ts";

serveChatEngine(loadEngine, toFailure);
