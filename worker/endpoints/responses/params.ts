import type { ChatRequest } from "../../generation/chat-request.ts";
import type { CompileRequest } from "../../generation/schemas/compile-request.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { toReasoning } from "../params/reasoning.ts";
import { refuseUnsupported, unsupportedValue } from "../params/refuse.ts";
import { requireConstraints } from "../params/require-constraints.ts";
import { requireStreamForOptions, toSampling, toStopList } from "../params/sampling.ts";
import { chooseFormat, STRUCTURED_OUTPUTS } from "../params/structured-outputs.ts";
import { ENCRYPTED_CONTENT, type Format, LOGPROBS, type Params, schema } from "./fields.ts";
import { toChatMessages } from "./input.ts";
import { withTypes } from "./items.ts";
import { REFUSALS, refuseMoved, refuseStored } from "./refusals.ts";
import { type ResponseSettings, shownFormat } from "./settings.ts";
import { type ListedFunction, listFunctions, shownChoice, shownTools, toToolChoice } from "./tools.ts";

/** A validated response request: the generation, and the settings that the response returns. */
export interface ResponseParams {
  model: string;
  chat: ChatRequest;
  stream: boolean;
  settings: ResponseSettings;
  functions: ListedFunction[];
  /** Whether reasoning items have `encrypted_content`. */
  includesEncryptedContent: boolean;
  /** Lists the ignored fields. */
  headers: Record<string, string>;
}

const KNOWN = new Set([
  ...Object.keys(schema.shape),
  ...STRUCTURED_OUTPUTS,
  ...Object.keys(REFUSALS),
  "previous_response_id",
  "conversation",
]);

/**
 * @param strict whether `store` is mandatory, as the spec says
 * @throws {ApiError} 400 that names the parameter
 */
export async function parseResponseParams(
  body: Record<string, unknown>,
  strict: boolean,
  signal: AbortSignal,
): Promise<ResponseParams> {
  refuseStored(body, strict);
  refuseMoved(body);
  const params = await validate(schema, { ...body, input: withTypes(body.input) });
  await refuseUnsupported(body, REFUSALS);
  refuseNested(params);
  requireStreamForOptions(params);
  const functions = listFunctions(params.tools ?? []);
  const tools = functions.map(({ definition }) => definition);
  const own = { param: "text.format.schema", format: toFormat(params.text?.format) };
  const { param, format } = chooseFormat(own, params);
  return {
    model: params.model,
    stream: params.stream ?? false,
    settings: toSettings(params),
    functions,
    includesEncryptedContent: params.include?.includes(ENCRYPTED_CONTENT) ?? false,
    headers: ignoredHeader(body, KNOWN),
    chat: {
      messages: toChatMessages(params.instructions, params.input),
      sampling: toSampling(params, params.max_output_tokens ?? undefined),
      stop: toStopList(params.stop),
      includeStop: params.include_stop_str_in_output ?? false,
      choices: 1,
      topLogprobs: toTopLogprobs(params),
      tools,
      toolChoice: toToolChoice(params.tool_choice ?? "auto", functions),
      parallelToolCalls: params.parallel_tool_calls ?? true,
      ...(await requireConstraints(
        { tools, format },
        {
          format: param,
          tools: { toolAt: (at) => functions[at]!.param, grammar: "format.definition" },
        },
        signal,
      )),
      ...toReasoning(params.reasoning?.effort, "reasoning.effort"),
      templateVariables: params.reasoning?.effort ? { reasoning_effort: params.reasoning.effort } : {},
      ...(asksForSummary(params) ? { reasoningParam: "reasoning.summary" } : {}),
    },
  };
}

/** Refuses unsupported values inside objects. */
function refuseNested({ reasoning, text }: Params): void {
  const nested: [param: string, value: string | null | undefined, honoured: readonly string[]][] = [
    ["reasoning.summary", reasoning?.summary, ["auto", "detailed"]],
    ["reasoning.generate_summary", reasoning?.generate_summary, ["auto", "detailed"]],
    ["reasoning.context", reasoning?.context, ["auto"]],
    ["reasoning.mode", reasoning?.mode, ["standard"]],
    ["text.verbosity", text?.verbosity, ["medium"]],
  ];
  for (const [param, value, honoured] of nested) {
    if (value === null || value === undefined || honoured.includes(value)) continue;
    throw unsupportedValue(param, value, honoured);
  }
}

/** `top_logprobs` implies log probabilities. */
function toTopLogprobs({ include, top_logprobs: top }: Params): number | undefined {
  const wanted = include?.includes(LOGPROBS) || (top ?? 0) > 0;
  return wanted ? (top ?? 0) : undefined;
}

function toFormat(wanted: Format | null | undefined): CompileRequest["format"] {
  if (wanted?.type !== "json_schema") return { type: wanted?.type ?? "text" };
  const { name, schema, strict } = wanted;
  return { type: "json_schema", name, schema, strict: strict ?? false };
}

function asksForSummary({ reasoning }: Params): boolean {
  return (reasoning?.summary ?? reasoning?.generate_summary ?? null) !== null;
}

function toSettings(params: Params): ResponseSettings {
  return {
    instructions: params.instructions ?? null,
    max_output_tokens: params.max_output_tokens ?? null,
    max_tool_calls: params.max_tool_calls ?? null,
    metadata: params.metadata ?? {},
    parallel_tool_calls: params.parallel_tool_calls ?? true,
    prompt_cache_key: params.prompt_cache_key ?? null,
    prompt_cache_retention: params.prompt_cache_retention ?? null,
    reasoning: {
      effort: params.reasoning?.effort ?? null,
      summary: params.reasoning?.summary ?? params.reasoning?.generate_summary ?? null,
    },
    safety_identifier: params.safety_identifier ?? null,
    text: { format: shownFormat(params.text?.format), verbosity: params.text?.verbosity ?? "medium" },
    tool_choice: shownChoice(params.tool_choice ?? "auto"),
    tools: shownTools(params.tools ?? []),
    top_logprobs: params.top_logprobs ?? 0,
    truncation: params.truncation ?? "disabled",
    ...(params.user ? { user: params.user } : {}),
  };
}
