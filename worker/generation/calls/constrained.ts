/** Calls of tools and constrained replies, loaded with the first request that uses tools or JSON. */

import type { Constraint, TagFormat } from "../../engine-api/constraint.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { ReaderOptions } from "../../reply/reply-reader.ts";
import {
  type CallSyntax,
  type ConstrainedTool,
  constrainCalls,
  constrainJson,
} from "../../tools/constraints.ts";
import type { ChatRequest } from "../chat-request.ts";
import type { GenerationPlan } from "../prepare.ts";
import type { ChatPrompt } from "../rendering/chat-prompt.ts";
import type { CompileRequest, CompileResult } from "../schemas/compile-request.ts";
import { SchemaCompiler } from "../schemas/schema-compiler.ts";
import { CustomCalls } from "./custom-calls.ts";
import { toolReading } from "./tool-reading.ts";

let compiler: SchemaCompiler | undefined;

/**
 * Checks the tools and the schema of a request and compiles their grammars in a worker.
 *
 * @throws {PartError}; the signal's reason
 */
export async function compileConstraints(
  request: CompileRequest,
  signal: AbortSignal,
): Promise<CompileResult> {
  // Tests in Node have no workers; production builds drop this branch.
  if (process.env.NODE_ENV !== "production" && typeof Worker === "undefined") {
    const { compileRequest } = await import("../schemas/compile-request.ts");
    return compileRequest(request);
  }
  compiler ??= new SchemaCompiler(new URL("schemas.js", self.location.href).href);
  return compiler.compile(request, signal);
}

/**
 * What tools and JSON add to the plan of a request, and how its calls are read.
 *
 * @throws as {@link compileConstraints}
 */
export async function planConstrained(
  chat: ChatRequest,
  planned: ChatPrompt,
  signal: AbortSignal,
): Promise<Pick<GenerationPlan, "constraint" | "customCalls"> & Pick<ReaderOptions, "tools">> {
  const constraint = await toConstraint(chat, planned, signal);
  const { toolFormat } = planned;
  const tools = toolFormat && toolReading(chat, toolFormat);
  const custom = new Set(chat.tools.flatMap((tool) => (tool.custom ? [tool.function.name] : [])));
  return {
    ...(constraint ? { constraint } : {}),
    ...(tools ? { tools } : {}),
    ...(custom.size > 0 ? { customCalls: () => new CustomCalls(custom) } : {}),
  };
}

/**
 * With optional calls and a JSON format, the reply is either. Only one call is allowed then: xgrammar rejects
 * alternatives of which some end and others, such as repeated calls, are unbounded.
 *
 * @throws as {@link compileConstraints}
 */
export async function toConstraint(
  chat: ChatRequest,
  planned: ChatPrompt,
  signal: AbortSignal,
): Promise<Constraint | undefined> {
  const reasoning = planned.mayThink ? planned.reasoning : undefined;
  const json = jsonConstraint(chat, planned);
  const { toolFormat } = planned;
  if (!toolFormat) return json;
  const { callSyntax: syntax } = toolFormat;
  const tools = await callableTools(chat, syntax, signal);
  const calls = (choice: ChatRequest["toolChoice"], parallel = chat.parallelToolCalls) =>
    constrainCalls(syntax, {
      choice,
      tools,
      parallel,
      ...(reasoning ? { reasoning } : {}),
    });
  if (!json || chat.toolChoice.mode !== "auto") return calls(chat.toolChoice);
  const elements = [json, calls({ ...chat.toolChoice, mode: "required" }, false)].flatMap(toFormat);
  return { type: "structural-tag", tag: { type: "structural_tag", format: { type: "or", elements } } };
}

/** The tools with grammars of their arguments, as the model writes them. The schemas were checked before. */
async function callableTools(
  { tools, callable }: ChatRequest,
  { dialect = "json" }: CallSyntax,
  signal: AbortSignal,
): Promise<readonly ConstrainedTool[]> {
  if (dialect === "json") return callable;
  const compiled = await compileConstraints({ tools, dialect, format: { type: "text" } }, signal);
  if (compiled.ok) return compiled.tools;
  throw new EngineError("invalid_request", compiled.message, { param: "tools" });
}

function jsonConstraint(
  { responseFormat }: ChatRequest,
  { reasoning, mayThink }: ChatPrompt,
): ReturnType<typeof constrainJson> | undefined {
  if (responseFormat.type === "text") return undefined;
  return constrainJson(responseFormat.grammar, reasoning, mayThink);
}

function toFormat(constraint: ReturnType<typeof constrainCalls>): TagFormat[] {
  if (!constraint) return [];
  if (constraint.type === "structural-tag") return [constraint.tag.format];
  return [{ type: "grammar", grammar: constraint.ebnf }];
}
