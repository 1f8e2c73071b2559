/** How a template's model thinks: its markers, and what turns it on and off; found out by rendering. */

import { findEfforts, type TemplateEfforts } from "./effort.ts";
import { END, isHarmony, THOUGHT } from "./harmony.ts";
import { JsonObject } from "./json-object.ts";
import { endOfThought, findMessages, type MessageMarkers } from "./message-markers.ts";
import { type TemplateMessage, TRIAL_MESSAGE } from "./template-message.ts";
import { TRIAL_RESULT, toolTurns } from "./trial-turns.ts";

export interface TemplateReasoning {
  open: string;
  close: string;
  /** Markers that the model writes in place of these, either of them. @default none */
  variants?: readonly { open: string; close: string }[];
  /** Around the answer after the thought. @default nothing */
  answer?: { open: string; close: string; end?: string };
  /** The token that `open` begins with, where a reply may hold more than one thought. @default one, at its start */
  channel?: string;
  /** How the messages are written (`harmony.ts`, `message-markers.ts`) of which a reply is a sequence. @default plain text */
  messages?: "harmony" | MessageMarkers;
  /** What turns it on and off; undefined: it cannot be turned off. */
  switch?: ReasoningSwitch;
  /** How much it thinks, where the template says so. */
  efforts?: TemplateEfforts;
  /** Whether the model thinks by default. */
  isDefault: boolean;
}

export type ReasoningSwitch =
  /** A variable of the template, such as `enable_thinking`, and its values. */
  | ({ type: "variable" } & VariableSwitch)
  /** A word at the end of the system message. */
  | { type: "system-word"; on: string; off: string };

interface VariableSwitch {
  name: string;
  on: boolean | number | string;
  off: boolean | number | string;
}

type Run = (request: {
  messages: readonly TemplateMessage[];
  variables?: Readonly<Record<string, unknown>>;
}) => string;

/** Markers of known models; a template names the closing one to remove old thoughts, or the opening one to begin. */
const MARKERS: readonly (readonly [
  open: string,
  close: string,
  channel?: string | undefined,
  sign?: string,
])[] = [
  ["<think>", "</think>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["<longcat_think>", "</longcat_think>"],
  ["<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|channel>thought\n", "<channel|>", "<|channel>"],
  ["<|thought_start|>", "<|thought_end|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["Here are my reasoning steps:\n", "[BEGIN FINAL RESPONSE]"],
  // Granite 3.2.
  ["Here is my thought process:", "Here is my response:"],
  // Hunyuan 3 and 4, whose templates build their tags.
  ["<think:opensource>", "</think:opensource>"],
  ["<think:6124c78e>", "</think:6124c78e>"],
  // Kimi K3, whose template builds its tags, too.
  ["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
  ["<ifm|think>", "</ifm|think>"],
  ["<|think:start|>", "<|think:end|>"],
  // Solar Open: messages of their own.
  ["<|think|>", "<|end|><|begin|>assistant"],
  // openPangu Embedded, whose template names neither.
  ["[unused16]", "[unused17]", undefined, "[unused9]"],
];

/** What models write in place of an opening marker and its closing one (vLLM's and Dynamo's parsers read all). */
const VARIANTS: Readonly<Record<string, TemplateReasoning["variants"]>> = {
  "Here is my thought process:": [{ open: "Here's my thought process:", close: "Here's my response:" }],
  // K2 Horizon, of less effort; it may close one thought with the marker of another.
  "<ifm|think>": [
    { open: "<ifm|think_fast>", close: "</ifm|think_fast>" },
    { open: "<ifm|think_faster>", close: "</ifm|think_faster>" },
  ],
};

/** Markers around the answer after a thought, as Granite 3.3, Hunyuan, Command R7B and Apriel write it. */
const ANSWERS: readonly (readonly [open: string, close: string, end?: string])[] = [
  ["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
  ["<response>", "</response>"],
  ["<answer>", "</answer>"],
  ["<|START_RESPONSE|>", "<|END_RESPONSE|>"],
  ["<|START_TEXT|>", "<|END_TEXT|>"],
  ["<|content|>", "<|end|>"],
  // The end of the thought begins it.
  ["", "[END FINAL RESPONSE]"],
];

/** Variables, most common first. Seed-OSS's is a number of tokens; -1 is without a limit. */
const VARIABLES: readonly VariableSwitch[] = [
  { name: "enable_thinking", on: true, off: false },
  { name: "thinking", on: true, off: false },
  { name: "thinking_budget", on: -1, off: 0 },
  // MiniMax M3.
  { name: "thinking_mode", on: "enabled", off: "disabled" },
  // GigaChat 3.5.
  { name: "reasoning", on: true, off: false },
];

const WORDS = { on: "/think", off: "/no_think" };

/** Undefined for a model that does not think, as far as its template shows. */
export function findReasoning(source: string, run: Run): TemplateReasoning | undefined {
  // No template has a switch: `reasoning_effort` says how much.
  if (isHarmony(source)) return { open: THOUGHT, close: END, messages: "harmony", isDefault: true };
  const messages = findMessages(source);
  const named = messages
    ? ([messages.thought, endOfThought(messages)] as const)
    : MARKERS.find(([open, close, , sign]) => [open, close, sign].some((one) => one && names(source, one)));
  // Cogito's template has the switch, but no marker.
  if (!named && !VARIABLES.some(({ name }) => source.includes(name))) return undefined;
  const [open, close, channel] = named ?? MARKERS[0]!;
  const around = ANSWERS.find(
    ([begin, end]) =>
      names(source, begin) &&
      names(source, end) &&
      (begin === "" || !renderedResult(run).includes(begin + TRIAL_RESULT)),
  );
  const variants = VARIANTS[open];
  const efforts = findEfforts(source);
  const thought = {
    open,
    close,
    ...(variants ? { variants } : {}),
    ...(around
      ? { answer: { open: around[0], close: around[1], ...(around[2] ? { end: around[2] } : {}) } }
      : {}),
    ...(channel === undefined ? {} : { channel }),
    ...(messages ? { messages } : {}),
    ...(efforts ? { efforts } : {}),
  };
  const rendered = (system?: string, variables?: Record<string, unknown>): string | undefined => {
    const messages =
      system === undefined ? [TRIAL_MESSAGE] : [{ role: "system" as const, content: system }, TRIAL_MESSAGE];
    try {
      return run({ messages, ...(variables ? { variables } : {}) });
    } catch {
      return undefined;
    }
  };
  const unset = rendered();
  const effort = efforts?.off === undefined ? [] : [{ name: efforts.name, on: "high", off: efforts.off }];
  for (const { name, on: yes, off: no } of [...VARIABLES, ...effort]) {
    const [on, off] = [yes, no].map((value) => rendered(undefined, { [name]: value }));
    if (on !== undefined && off !== undefined && on !== off)
      return { ...thought, switch: { type: "variable", name, on: yes, off: no }, isDefault: unset !== off };
  }
  if (!named) return undefined;
  const [plain, off] = ["infetchSystem", `infetchSystem\n${WORDS.off}`].map((system) => rendered(system));
  const hasWords = plain !== undefined && off !== undefined && ending(plain) !== ending(off);
  if (hasWords) return { ...thought, switch: { type: "system-word", ...WORDS }, isDefault: true };
  return { ...thought, isDefault: true };
}

/** A call and its result, where a template renders one so: MiniMax M2 has results in `<response>`. */
function renderedResult(run: Run): string {
  try {
    return run({ messages: toolTurns("call00001", JsonObject.from("{}")!) });
  } catch {
    return "";
  }
}

/** Whether a template's text names a marker, or its parts. */
function names(source: string, marker: string): boolean {
  if (source.includes(marker.trim())) return true;
  const [, token, tag, end] = /^(<\|\w+\|>)(\w+)(<\|\w+\|>)$/.exec(marker) ?? [];
  if (tag !== undefined) return [`'${token}'`, `'${tag}'`, `'${end}'`].every((part) => source.includes(part));
  const [, inner] = /^<\/?(\w+\|\w+)>$/.exec(marker) ?? [];
  if (inner !== undefined) return source.includes(inner);
  const [suffix] = /:\w+(?=>$)/.exec(marker) ?? [];
  return suffix !== undefined && source.includes(marker.replace(suffix, "{}")) && source.includes(suffix);
}

/** What follows the user's message: the start of the reply. */
function ending(text: string): string {
  return text.slice(text.lastIndexOf(TRIAL_MESSAGE.content) + TRIAL_MESSAGE.content.length);
}
