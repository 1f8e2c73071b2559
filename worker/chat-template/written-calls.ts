/** Calls as a template writes them into an assistant's turn, found by rendering one: for formats that are not known. */

import { commonPrefix } from "../../src/shared/common-prefix.ts";
import { type TemplateMessage, TRIAL_LANGUAGES, TRIAL_MESSAGE } from "./traits/template-message.ts";

/** What the calls name. None of it needs an escape, and every id has the length that Mistral's templates ask for. */
export const WRITTEN = {
  tool: "infetchTool",
  key: "infetchKey",
  value: "infetchValue",
  otherKey: "infetchOtherKey",
  otherValue: "infetchOther",
  id: "call00001",
} as const;

/** Without the turn's header and end. */
export interface WrittenCalls {
  /** `key: value` */
  one: string;
  /** The same call, and one with `key: otherValue`; undefined if the template does not write both in one turn. */
  two?: string;
  /** `key: value, otherKey: otherValue` */
  pair: string;
  /** `key: true` */
  flag: string;
}

type Arguments = Readonly<Record<string, string | boolean>>;

const text = { type: "string" };
const TOOL = {
  type: "function",
  function: {
    name: WRITTEN.tool,
    description: WRITTEN.tool,
    parameters: { type: "object", properties: { [WRITTEN.key]: text, [WRITTEN.otherKey]: text } },
  },
};
const SECOND_ID = "call00002";
/** Begins as no call does. */
const REPLY: TemplateMessage = { role: "assistant", content: "Zinfetch" };
const EMPTY_THOUGHT = /^\s*<([^<>/]+)>\s*<\/\1>/;
const TAG = /<[^<>\s]+>|\[\/?[A-Z_]+\]/g;
/** Characters of a turn with calls: some searches take their square. */
const MAX_TURN = 2_000;

/** Renders a request as clients send it. @throws as the template does */
type Render = (request: {
  messages: readonly TemplateMessage[];
  tools: readonly object[];
  variables: Readonly<Record<string, unknown>>;
  opensReply: boolean;
}) => string;

/**
 * Undefined if the template writes no calls.
 *
 * @param endOfThought a marker; what comes before its end is not part of the calls. @default none is known
 */
export function writtenCalls(render: Render, endOfThought?: string): WrittenCalls | undefined {
  const rendered = (opensReply: boolean, ...turns: TemplateMessage[]): string =>
    render({
      messages: [TRIAL_MESSAGE, ...turns],
      tools: [TOOL],
      variables: TRIAL_LANGUAGES,
      opensReply,
    });
  try {
    const reply = rendered(false, REPLY);
    const header = headerOf(rendered(true), rendered(false), reply);
    const written = (...calls: Arguments[]): string | undefined =>
      bodyOf(rendered(false, replyWith(calls)), reply, header, endOfThought);
    const { key, value, otherKey, otherValue } = WRITTEN;
    const one = written({ [key]: value });
    const pair = written({ [key]: value, [otherKey]: otherValue });
    const flag = written({ [key]: true });
    if (one === undefined || pair === undefined || flag === undefined) return undefined;
    const two = written({ [key]: value }, { [key]: otherValue });
    if (!two?.includes(value) || !two.includes(otherValue)) return { one, pair, flag };
    return { one, pair, flag, two: two.replaceAll(SECOND_ID, WRITTEN.id) };
  } catch {
    return undefined;
  }
}

function replyWith(calls: readonly Arguments[]): TemplateMessage {
  return {
    role: "assistant",
    content: "",
    tool_calls: calls.map((args, index) => ({
      id: index === 0 ? WRITTEN.id : SECOND_ID,
      type: "function",
      function: { name: WRITTEN.tool, arguments: JSON.stringify(args) },
    })),
  };
}

/** What begins both a prompt's reply and the turn of one. */
function headerOf(opened: string, closed: string, reply: string): string {
  const isContinued = opened.startsWith(closed) && reply.startsWith(closed);
  return isContinued ? commonPrefix([opened.slice(closed.length), reply.slice(closed.length)]) : "";
}

/** The text of a turn with calls. Some templates write calls into a turn of their own, after an empty one. */
function bodyOf(turn: string, reply: string, header: string, endOfThought?: string): string | undefined {
  // A tag that both begin with stays whole.
  const begin = commonPrefix([turn, reply]).replace(/<[^<>\s]*$/, "").length;
  const last = header.trim() === "" ? -1 : turn.lastIndexOf(header);
  const isOwnTurn = last >= begin;
  const from = isOwnTurn ? last + header.length : begin;
  const body = turn.slice(from, turn.length - commonEnd(turn.slice(from), reply).length);
  if (!body.includes(WRITTEN.tool) || body.length > MAX_TURN) return undefined;
  const ends = reply.slice(reply.lastIndexOf(REPLY.content)).match(TAG) ?? [];
  const calls = body.lastIndexOf("infetch");
  const cuts = ends.map((end) => body.indexOf(end, calls)).filter((at) => at >= 0);
  const name = body.indexOf(WRITTEN.tool);
  const others = endOfThought === undefined ? ends : [...ends, endOfThought];
  const starts = others.filter((one) => body.lastIndexOf(one, name) >= 0);
  const start = Math.max(0, ...starts.map((one) => body.lastIndexOf(one, name) + one.length));
  const text = body
    .slice(start, Math.min(body.length, ...cuts))
    // Half a token, where the end of such a turn differs from others'.
    .replace(/<[^<>]*$/, "")
    .replace(EMPTY_THOUGHT, "")
    .trimEnd();
  return isOwnTurn && start === 0 ? text : text.trimStart();
}

/** The longest text that both end with. */
export function commonEnd(first: string, second: string): string {
  let length = 0;
  while (length < first.length && length < second.length && first.at(-1 - length) === second.at(-1 - length))
    length++;
  return first.slice(first.length - length);
}
