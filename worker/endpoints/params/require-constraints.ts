import type { ResponseFormat } from "../../generation/chat-request.ts";
import type { CompileRequest } from "../../generation/schemas/compile-request.ts";
import { badRequest } from "../../http/api-error.ts";
import { loadPart } from "../../lazy/part.ts";
import type { ConstrainedTool } from "../../tools/constraints.ts";

/** The parameters that errors name. */
export interface ToolPlaces {
  /** The one with the fields of a tool. */
  toolAt(at: number): string;
  /** The grammar of a custom tool, relative to it. */
  grammar: string;
}

/**
 * Checks and compiles the constraints of a reply, tools and response format, on one shared budget, before the model is
 * loaded.
 *
 * @param places `format` is the parameter with the format's schema; `tools` is for requests with tools
 * @throws {ApiError} 400 `invalid_json_schema` or `invalid_function_parameters`, with OpenAI's messages
 * @throws {PartError}; the signal's reason
 */
export async function requireConstraints(
  request: CompileRequest,
  places: { format: string; tools?: ToolPlaces },
  signal: AbortSignal,
): Promise<{ callable: ConstrainedTool[]; responseFormat: ResponseFormat }> {
  const { tools, format } = request;
  if (tools.length === 0 && format.type === "text") return { callable: [], responseFormat: { type: "text" } };
  const { compileConstraints } = await loadPart(
    () => import("../../generation/calls/constrained.ts"),
    signal,
  );
  const compiled = await compileConstraints(request, signal);
  if (compiled.ok) return { callable: compiled.tools, responseFormat: compiled.format };
  const placed = (text: string): string =>
    text.replace(/tools\[(\d+)\]\.function\.(grammar$)?/, (whole, at, grammar) => {
      const { tools: place } = places;
      return place ? `${place.toolAt(Number(at))}.${grammar ? place.grammar : ""}` : whole;
    });
  throw badRequest(compiled.code, placed(compiled.param ?? places.format), placed(compiled.message));
}
