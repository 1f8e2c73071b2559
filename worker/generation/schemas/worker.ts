/** Schema worker: compiles schemas off the server's thread. */

import { reportLoaded } from "../tasks/task-outcome.ts";
import { compileRequest } from "./compile-request.ts";
import type { CompileOutcome } from "./schema-compiler.ts";

reportLoaded();
// No-op where there is no message event, for example in server-side rendering.
globalThis.addEventListener?.("message", ({ data }: MessageEvent<string>) => {
  let outcome: CompileOutcome;
  try {
    outcome = { result: compileRequest(JSON.parse(data)) };
  } catch (error) {
    outcome = { failure: String(error) };
  }
  postMessage(outcome);
});
