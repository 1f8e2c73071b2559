/**
 * Compiles schemas in a separate worker, one request at a time, so that a heavy one never blocks the server. The
 * budget bounds the work; the timeout covers work that the budget does not count (docs/decisions/113).
 */

import { openWorker } from "../../../src/protocol/assets/start-worker.ts";
import { abortable } from "../../../src/shared/abortable.ts";
import { systemTimers, type Timers } from "../../clock.ts";
import type { TaskOutcome } from "../tasks/task-outcome.ts";
import { TaskWorker } from "../tasks/task-worker.ts";
import type { CompileRequest, CompileResult } from "./compile-request.ts";

/** The worker's response to the JSON of a {@link CompileRequest}. */
export type CompileOutcome = TaskOutcome<CompileResult>;

/** Far longer than the whole budget takes on a slow device. */
const MAX_COMPILE_MS = 30_000;

export class SchemaCompiler {
  readonly #worker: TaskWorker<CompileResult>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param url of the schema worker's script */
  constructor(url: string, timers: Timers = systemTimers, start = openWorker) {
    this.#worker = new TaskWorker("schema", url, timers, start);
  }

  /** @throws {PartError} if the worker's script does not load; the signal's reason */
  compile(request: CompileRequest, signal: AbortSignal): Promise<CompileResult> {
    // JSON: structured clone of deeply nested data may fail without an error event.
    const text = textOf(request);
    if (text === undefined) return Promise.resolve(refusal(request, "it is nested too deeply"));
    const result = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#run(request, text, signal);
    });
    this.#last = result.catch(() => {});
    return abortable(result, signal);
  }

  #run(request: CompileRequest, text: string, signal: AbortSignal): Promise<CompileResult> {
    return this.#worker.run(text, {
      signal,
      withinMs: MAX_COMPILE_MS,
      onTimeout: async () => refusal(request, `it takes longer than ${MAX_COMPILE_MS / 1000} s to compile`),
    });
  }
}

/** Undefined if it is nested too deeply for the stack. */
function textOf(request: CompileRequest): string | undefined {
  try {
    return JSON.stringify(request);
  } catch {
    return undefined;
  }
}

function refusal({ tools, format }: CompileRequest, why: string): CompileResult {
  const message = `schema is too complex: ${why}.`;
  if (format.type === "json_schema") {
    const start = `Invalid schema for response_format '${format.name}'`;
    return { ok: false, param: undefined, code: "invalid_json_schema", message: `${start}: ${message}` };
  }
  if (format.type === "regex" || format.type === "choice") {
    return { ok: false, param: undefined, code: "invalid_value", message: message.replace("schema", "it") };
  }
  const names = tools.length === 1 ? `function '${tools[0]!.function.name}'` : "a function";
  return {
    ok: false,
    param: "tools",
    code: "invalid_function_parameters",
    message: `Invalid schema for ${names}: ${message}`,
  };
}
