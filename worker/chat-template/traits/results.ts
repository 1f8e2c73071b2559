/** Results of calls, for templates that do not read them as messages of their own. */

import { type TemplateMessage, TRIAL_TOOL } from "./template-message.ts";
import { TRIAL_RESULT } from "./trial-turns.ts";

/** As Qwen's templates write results, for templates without a role for them: those in a row are one user turn. */
export function resultsToUser(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const all: TemplateMessage[] = [];
  for (const [at, message] of messages.entries()) {
    const result = `<tool_response>\n${message.content}\n</tool_response>`;
    if (message.role !== "tool") all.push(message);
    else if (messages[at - 1]?.role !== "tool") all.push({ role: "user", content: result });
    else all.push({ role: "user", content: `${all.pop()!.content}\n${result}` });
  }
  return all;
}

/**
 * Results join the message of their calls, as the answer after them does; the text before calls becomes a message: a
 * template that reads `tool_responses` writes the text of a message after them.
 */
export function resultsToCalls(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const all: TemplateMessage[] = [];
  for (const message of messages) {
    const { role, content, tool_calls: calls } = message;
    const last = all.at(-1);
    const results = last?.tool_responses ?? [];
    if (role === "tool" && last?.tool_calls) {
      const called = last.tool_calls.find(({ id }) => id === message.tool_call_id);
      const name = called?.function.name ?? message.name;
      all[all.length - 1] = { ...last, tool_responses: [...results, { name, response: content }] };
    } else if (role === "assistant" && !calls && results.length > 0 && last!.content === "") {
      all[all.length - 1] = { ...last!, content };
    } else if (calls && content !== "") {
      all.push({ role, content }, { ...message, content: "" });
    } else all.push(message);
  }
  return all;
}

/**
 * Whether a template reads `tool_responses` of a message with calls and knows no role of results, as Gemma 4's first one.
 *
 * @param rendered writes a conversation; undefined if the template refuses it
 * @param loop a call and its result
 */
export function takesResultsInCalls(
  rendered: (messages: readonly TemplateMessage[]) => string | undefined,
  [ask, reply, result]: readonly TemplateMessage[],
): boolean {
  const results = [{ name: TRIAL_TOOL.function.name, response: TRIAL_RESULT }];
  if (!rendered([ask!, { ...reply!, tool_responses: results }])?.includes(TRIAL_RESULT)) return false;
  const other = rendered([ask!, reply!, { ...result!, role: "infetchRole" as never }]);
  return other?.replaceAll("infetchRole", "tool") === rendered([ask!, reply!, result!]);
}
