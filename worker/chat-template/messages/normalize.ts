/** Messages of the API as a template expects them. */

import { JsonObject } from "../json-object.ts";
import { resultsToCalls, resultsToUser } from "../traits/results.ts";
import { type TemplateCall, type TemplateMessage, withThought } from "../traits/template-message.ts";
import type { TemplateTraits } from "../traits/traits.ts";
import {
  alternateAroundCalls,
  laterSystemToUser,
  mergeRoles,
  systemToFirstUser,
  systemToLastUser,
  userBeforeReply,
} from "./roles.ts";

/** Writes calls as text, in the format that the model was trained on. */
export type WriteCalls = (calls: readonly TemplateCall[]) => string;

/** @param write for templates that render no calls. @default calls are left to the template */
export function forTemplate(
  messages: readonly TemplateMessage[],
  traits: TemplateTraits,
  write?: WriteCalls,
): TemplateMessage[] {
  let all = messages.map((message) => withCalls(message, traits));
  if (traits.hasCalls && !traits.hasCallsBesideText) all = all.flatMap(textBeforeCalls);
  if (traits.hasCalls && !traits.allowsParallelCalls) all = oneCallEach(all);
  if (traits.callsAsMetadata) all = all.flatMap(callsToMetadata);
  else if (!traits.hasCalls && write) all = all.map((message) => withWrittenCalls(message, write));
  if (traits.resultsInCalls) all = resultsToCalls(all);
  else if (!traits.hasResults) all = resultsToUser(all);
  if (!traits.hasLaterSystem) all = laterSystemToUser(all);
  if (traits.userBeforeReply !== undefined) all = userBeforeReply(all, traits.userBeforeReply);
  const isLone = !traits.hasLoneSystem && !all.some(({ role }) => role === "user");
  if (!traits.hasSystem || isLone) all = systemToFirstUser(all);
  if (!traits.allowsRepeatedRoles) all = mergeRoles(all);
  if (!traits.keepsSystemInToolLoop) all = systemToLastUser(all);
  const { refusesTextBesideThought: refuses, textAfterResults } = traits;
  if (refuses || textAfterResults) all = all.map((message) => textToThought(message, textAfterResults));
  const { replyAfterResult: reply, emptyReply, thoughtAs } = traits;
  if (reply !== undefined) all = alternateAroundCalls(all, reply);
  return all.map((message) => {
    const shown = withThought(message, thoughtAs);
    return emptyReply !== undefined && isEmptyReply(shown) ? { ...shown, content: emptyReply } : shown;
  });
}

/** @param isAlways whether text without a thought becomes one, too */
function textToThought(message: TemplateMessage, isAlways: boolean): TemplateMessage {
  const { content, reasoning_content: thought = "", tool_calls: calls } = message;
  if (!calls || content === "" || (thought === "" && !isAlways)) return message;
  const joined = thought === "" ? content : `${thought}\n\n${content}`;
  return { ...message, content: "", reasoning_content: joined };
}

function isEmptyReply({ role, content, tool_calls: calls }: TemplateMessage): boolean {
  return role === "assistant" && content === "" && (calls ?? []).length === 0;
}

function withCalls(
  message: TemplateMessage,
  { argumentsAs, hasShortCallIds }: TemplateTraits,
): TemplateMessage {
  const id = hasShortCallIds ? shortId : (text: string): string => text;
  const result = { ...message };
  if (result.tool_call_id !== undefined) result.tool_call_id = id(result.tool_call_id);
  if (result.tool_calls) {
    result.tool_calls = result.tool_calls.map((call) => ({
      ...call,
      id: id(call.id),
      function: {
        ...call.function,
        arguments:
          argumentsAs === "text"
            ? asText(call.function.arguments)
            : asObject(call.function.arguments, argumentsAs === "object-only"),
      },
    }));
  }
  return result;
}

function withWrittenCalls(message: TemplateMessage, write: WriteCalls): TemplateMessage {
  const { tool_calls: calls, ...rest } = message;
  if (!calls || calls.length === 0) return message;
  return { ...rest, content: [message.content, write(calls)].filter((text) => text !== "").join("\n") };
}

/** The text of a message with calls as one of its own. */
function textBeforeCalls(message: TemplateMessage): TemplateMessage[] {
  const { tool_calls: calls, ...text } = message;
  if (!calls || calls.length === 0 || text.content === "") return [message];
  return [text, { role: "assistant", content: "", tool_calls: calls }];
}

/** Each call as a message with the tool's name, and each result as an observation. */
function callsToMetadata({ tool_calls: calls = [], ...message }: TemplateMessage): TemplateMessage[] {
  if (message.role === "tool") return [{ role: "observation", content: message.content }];
  if (calls.length === 0) return [message];
  const text = message.content === "" ? [] : [message];
  const written = calls.map(({ function: { name, arguments: given } }) => {
    return { role: "assistant" as const, metadata: name, content: asText(given) };
  });
  return [...text, ...written];
}

/** Each call of a message in one of its own, followed by its result. */
function oneCallEach(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const placed = new Set<TemplateMessage>();
  return messages.flatMap((message, at) => {
    if (placed.has(message)) return [];
    const calls = message.tool_calls ?? [];
    if (calls.length < 2) return [message];
    const next = messages.findIndex((other, index) => index > at && other.role !== "tool");
    const results = messages.slice(at + 1, next < 0 ? undefined : next);
    const { reasoning_content: _, ...later } = message;
    return calls.flatMap((call, index) => {
      const own = results.filter((result) => result.tool_call_id === call.id);
      for (const result of own) placed.add(result);
      return [{ ...(index === 0 ? message : { ...later, content: "" }), tool_calls: [call] }, ...own];
    });
  });
}

/** A model may write what is no JSON object, and a client send it back: it stays text, or is the one member of an object. */
function asObject(value: string | JsonObject, isOnly: boolean): string | JsonObject {
  if (typeof value !== "string") return value;
  const object = JsonObject.from(asText(value));
  return object ?? (isOnly ? JsonObject.from(JSON.stringify({ arguments: value }))! : value);
}

/** The JSON text of arguments; some clients send an empty one for none. */
export function asText(value: string | JsonObject): string {
  const text = typeof value === "string" ? value : value.text;
  return text.trim() === "" ? "{}" : text;
}

/** Nine letters and digits, the same for the same id (32-bit FNV-1a, twice). */
function shortId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  const hash = (seed: number): string => {
    let state = seed;
    for (const character of id) state = Math.imul(state ^ character.codePointAt(0)!, 16_777_619);
    return (state >>> 0).toString(36).padStart(7, "0");
  };
  return (hash(2_166_136_261) + hash(84_696_351)).slice(-9);
}
