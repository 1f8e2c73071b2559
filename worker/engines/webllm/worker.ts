/** The engine worker for chat on WebGPU. */

import { serveChatEngine } from "../chat/serve-chat-engine.ts";
import { toFailure } from "./failures.ts";
import { loadEngine } from "./load/load-engine.ts";

serveChatEngine((...request: Parameters<typeof loadEngine>) => {
  // web-llm's runtime prints the limits that it falls back to, whatever its log level. Not at the import, which may be elsewhere.
  console.log = () => {};
  return loadEngine(...request);
}, toFailure);
