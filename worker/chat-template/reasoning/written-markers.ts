/** The tags that a template writes around a thought, found by rendering one: for models whose markers are not known. */

import { THOUGHT_FORMS, TRIAL_MESSAGE, TRIAL_REPLY } from "../traits/template-message.ts";
import { TRIAL_THOUGHT, type TrialRun } from "../traits/trial-turns.ts";

interface WrittenMarkers {
  open: string;
  close: string;
  /** What follows the thought, from `close` on. */
  after: string;
  /** Whether `close` is also written where no thought is, so that it may end any message. */
  endsOthers: boolean;
}

const TAG = String.raw`(<[^<>\s]+>|\[[^[\]\s]+\])`;
const BETWEEN_TAGS = new RegExp(String.raw`${TAG}\s*${TRIAL_THOUGHT}\s*${TAG}[^]*${TRIAL_REPLY.content}`);

/** Undefined without tags that stand around a thought only, be it an empty one. */
export function writtenMarkers(run: TrialRun): WrittenMarkers | undefined {
  const rendered = (reply: object): string =>
    run({
      messages: [TRIAL_MESSAGE, { ...TRIAL_REPLY, ...reply }],
      variables: { enable_thinking: true },
      opensReply: false,
    });
  try {
    const thinking = rendered(Object.fromEntries(THOUGHT_FORMS.map((form) => [form, TRIAL_THOUGHT])));
    const [, open, close] = BETWEEN_TAGS.exec(thinking) ?? [];
    if (open === undefined || close === undefined) return undefined;
    const others = withoutEmptyThought(rendered({}), open, close);
    if (others.includes(open)) return undefined;
    const after = thinking.slice(thinking.indexOf(TRIAL_THOUGHT) + TRIAL_THOUGHT.length).trimStart();
    return { open, close, after, endsOthers: others.includes(close) };
  } catch {
    return undefined;
  }
}

function withoutEmptyThought(text: string, open: string, close: string): string {
  const at = text.indexOf(open);
  const rest = text.slice(at + open.length).trimStart();
  return at >= 0 && rest.startsWith(close) ? text.slice(0, at) + rest.slice(close.length) : text;
}
