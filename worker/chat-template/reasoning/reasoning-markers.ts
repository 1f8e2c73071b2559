/** The markers around a thought and the answer after it, which a template names. */

import { JsonObject } from "../json-object.ts";
import { endOfThought, findMessages, type MessageMarkers } from "../traits/message-markers.ts";
import { TRIAL_RESULT, type TrialRun, toolTurns } from "../traits/trial-turns.ts";
import { writtenMarkers } from "./written-markers.ts";

export interface ReasoningMarkers {
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
}

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
const VARIANTS: Readonly<Record<string, ReasoningMarkers["variants"]>> = {
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

/** The markers of models whose templates have a switch and name none. */
export const USUAL_MARKERS: ReasoningMarkers = { open: MARKERS[0]![0], close: MARKERS[0]![1] };

/** The markers that a template names, or the tags that it writes around a thought. */
export function findReasoningMarkers(source: string, run: TrialRun): ReasoningMarkers | undefined {
  const messages = findMessages(source);
  if (messages)
    return withAnswer({ open: messages.thought, close: endOfThought(messages), messages }, source, run);
  const named = MARKERS.find(([open, close, , sign]) =>
    [open, close, sign].some((one) => one && names(source, one)),
  );
  const other = otherMarkers(named, source, run);
  if (other) return withAnswer(other, source, run);
  if (!named) return undefined;
  const [open, close, channel] = named;
  const variants = VARIANTS[open];
  const markers = { open, close, ...(variants ? { variants } : {}), ...(channel ? { channel } : {}) };
  return withAnswer(markers, source, run);
}

/** The tags that a template writes in place of the ones that it names: other models have Solar's opening marker. */
function otherMarkers(
  named: (typeof MARKERS)[number] | undefined,
  source: string,
  run: TrialRun,
): ReasoningMarkers | undefined {
  if (named && names(source, named[0]) && names(source, named[1])) return undefined;
  const written = writtenMarkers(run);
  if (!written) return undefined;
  const { open, close, after, endsOthers } = written;
  const isOther = named ? open === named[0] && !after.startsWith(named[1]) : !endsOthers;
  return isOther ? { open, close } : undefined;
}

function withAnswer(markers: ReasoningMarkers, source: string, run: TrialRun): ReasoningMarkers {
  const found = ANSWERS.find(
    ([begin, end]) =>
      names(source, begin) &&
      names(source, end) &&
      (begin === "" || !renderedResult(run).includes(begin + TRIAL_RESULT)),
  );
  if (!found) return markers;
  const [begin, close, end] = found;
  const open = begin === markers.close ? "" : begin;
  return { ...markers, answer: { open, close, ...(end ? { end } : {}) } };
}

/** A call and its result, where a template renders one so: MiniMax M2 has results in `<response>`. */
function renderedResult(run: TrialRun): string {
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
