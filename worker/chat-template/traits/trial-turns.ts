/** Conversations with calls, which only find out what a template does. */

import type { JsonObject } from "../json-object.ts";
import { type TemplateMessage, TRIAL_MESSAGE } from "./template-message.ts";

/** Renders a conversation that only finds out what the template does. @throws as the template does */
export type TrialRun = (request: {
  messages: readonly TemplateMessage[];
  variables?: Readonly<Record<string, unknown>>;
  opensReply?: boolean;
}) => string;

/** The same for its turns; undefined if the template refuses them. */
export type Rendered = (
  messages: readonly TemplateMessage[],
  tools?: readonly object[],
) => string | undefined;

export const TRIAL_RESULT = "infetchResult";

export const TRIAL_THOUGHT = "infetchThought";

/** @param args undefined: the call is text, as for templates that render no calls */
export function toolTurns(id: string, args: string | JsonObject | undefined): TemplateMessage[] {
  const call = (given: string | JsonObject) =>
    ({ id, type: "function", function: { name: "infetchTool", arguments: given } }) as const;
  const reply = { role: "assistant", content: args === undefined ? "infetchTool()" : "" } as const;
  return [
    TRIAL_MESSAGE,
    args === undefined ? reply : { ...reply, tool_calls: [call(args)] },
    { role: "tool", content: TRIAL_RESULT, name: "infetchTool", tool_call_id: id },
  ];
}

/** The same with two calls in one message. */
export function parallelTurns(
  id: string,
  args: string | JsonObject,
  others: string | JsonObject,
): TemplateMessage[] {
  const [ask, reply, result] = toolTurns(id, args);
  const [call] = reply!.tool_calls!;
  const second = {
    ...call!,
    id: `${id.slice(0, -1)}j`,
    function: { ...call!.function, arguments: others },
  };
  const both = { ...reply!, tool_calls: [call!, second] };
  return [ask!, both, result!, { ...result!, tool_call_id: second.id }];
}
