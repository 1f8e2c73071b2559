/** How a template's model thinks: its markers, and what turns it on and off; found out by rendering. */

import { TRIAL_MESSAGE } from "../traits/template-message.ts";
import { TRIAL_THOUGHT, type TrialRun } from "../traits/trial-turns.ts";
import { findEfforts, type TemplateEfforts } from "./effort.ts";
import { END, isHarmony, THOUGHT } from "./harmony.ts";
import { findReasoningMarkers, type ReasoningMarkers, USUAL_MARKERS } from "./reasoning-markers.ts";
import { otherVariables, VARIABLES, type VariableSwitch } from "./reasoning-variables.ts";

export interface TemplateReasoning extends ReasoningMarkers {
  /** What turns it on and off; undefined: it cannot be turned off. */
  switch?: ReasoningSwitch;
  /** How much it thinks, where the template says so. */
  efforts?: TemplateEfforts;
  /** Whether the model thinks by default. */
  isDefault: boolean;
}

type ReasoningSwitch =
  /** A variable of the template, such as `enable_thinking`, and its values. */
  | ({ type: "variable" } & VariableSwitch)
  /** A word at the end of the system message. */
  | { type: "system-word"; on: string; off: string };

const WORDS = { on: "/think", off: "/no_think" };

/** Undefined for a model that does not think, as far as its template shows. */
export function findReasoning(source: string, run: TrialRun): TemplateReasoning | undefined {
  // gpt-oss has no switch, but Mi:dm has: `reasoning_effort` says how much.
  if (isHarmony(source))
    return { open: THOUGHT, close: END, messages: "harmony", ...(findSwitch(run) ?? { isDefault: true }) };
  const named = findReasoningMarkers(source, run);
  // Cogito's template has the switch, but no marker.
  if (!named && !VARIABLES.some(({ name }) => source.includes(name))) return undefined;
  const efforts = findEfforts(source);
  const found = findSwitch(run, efforts) ?? (named && findOtherSwitch(source, run, named));
  if (!named && found?.switch.type !== "variable") return undefined;
  return { ...(named ?? USUAL_MARKERS), ...(efforts ? { efforts } : {}), ...(found ?? { isDefault: true }) };
}

type FoundSwitch = Required<Pick<TemplateReasoning, "switch" | "isDefault">>;

/** What changes the prompt, with both of its values. */
function findSwitch(run: TrialRun, efforts?: TemplateEfforts): FoundSwitch | undefined {
  const rendered = rendersOne(run);
  const high = efforts?.words.find((word) => word.toLowerCase() === "high") ?? "high";
  const effort = efforts?.off === undefined ? [] : [{ name: efforts.name, on: high, off: efforts.off }];
  for (const variable of [...VARIABLES, ...effort]) {
    const [on, off] = [variable.on, variable.off].map((value) =>
      rendered({ variables: { [variable.name]: value } }),
    );
    if (on !== undefined && off !== undefined && on !== off)
      return { switch: { type: "variable", ...variable }, isDefault: rendered({}) !== off };
  }
  const [plain, off] = ["infetchSystem", `infetchSystem\n${WORDS.off}`].map((content) =>
    rendered({ messages: [{ role: "system", content }, TRIAL_MESSAGE] }),
  );
  if (plain === undefined || off === undefined || ending(plain) === ending(off)) return undefined;
  return { switch: { type: "system-word", ...WORDS }, isDefault: true };
}

/** The same for a variable of another name: what opens a thought thinks, and what closes one does not. */
function findOtherSwitch(
  source: string,
  run: TrialRun,
  { open, close }: ReasoningMarkers,
): FoundSwitch | undefined {
  const rendered = rendersOne(run);
  const thinks = (text: string): number => {
    const end = ending(text);
    return end.includes(close) ? -1 : end.includes(open.trim()) ? 1 : 0;
  };
  const found = otherVariables(source).flatMap(({ name, on, off }) => {
    const [first, second] = [on, off].map((value) => rendered({ variables: { [name]: value } }));
    if (first === undefined || second === undefined || first === second) return [];
    // A text, such as the language of thoughts.
    const written = rendered({ variables: { [name]: TRIAL_THOUGHT } });
    if (thinks(first) === thinks(second) && written?.includes(TRIAL_THOUGHT)) return [];
    const isReversed = thinks(first) < thinks(second);
    const unthinking = isReversed ? first : second;
    const by = isReversed ? { name, on: off, off: on } : { name, on, off };
    const isDefault = rendered({}) !== unthinking;
    return [{ closes: thinks(unthinking) < 0, switch: { type: "variable", ...by } as const, isDefault }];
  });
  // One that only opens a thought turns none off.
  const best = found.find(({ closes }) => closes) ?? found[0];
  return best && { switch: best.switch, isDefault: best.isDefault };
}

/** A short conversation; undefined if the template refuses it. */
function rendersOne(run: TrialRun): (request: Partial<Parameters<TrialRun>[0]>) => string | undefined {
  return (request) => {
    try {
      return run({ messages: [TRIAL_MESSAGE], ...request });
    } catch {
      return undefined;
    }
  };
}

/** What follows the user's message: the start of the reply. */
function ending(text: string): string {
  return text.slice(text.lastIndexOf(TRIAL_MESSAGE.content) + TRIAL_MESSAGE.content.length);
}
