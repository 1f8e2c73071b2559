/** How a template's model thinks: its markers, and what turns it on and off; found out by rendering. */

import { findEfforts, type TemplateEfforts } from "./effort.ts";
import { END, isHarmony, THOUGHT } from "./harmony.ts";
import { TRIAL_MESSAGE } from "./template-message.ts";
import { findThoughtMarkers, type ThoughtMarkers, USUAL_MARKERS } from "./thought-markers.ts";
import type { TrialRun } from "./trial-turns.ts";

export interface TemplateReasoning extends ThoughtMarkers {
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
export function findReasoning(source: string, run: TrialRun): TemplateReasoning | undefined {
  // gpt-oss has no switch, but Mi:dm has: `reasoning_effort` says how much.
  if (isHarmony(source))
    return { open: THOUGHT, close: END, messages: "harmony", ...(findSwitch(run) ?? { isDefault: true }) };
  const named = findThoughtMarkers(source, run);
  // Cogito's template has the switch, but no marker.
  if (!named && !VARIABLES.some(({ name }) => source.includes(name))) return undefined;
  const efforts = findEfforts(source);
  const found = findSwitch(run, efforts);
  if (!named && found?.switch.type !== "variable") return undefined;
  return { ...(named ?? USUAL_MARKERS), ...(efforts ? { efforts } : {}), ...(found ?? { isDefault: true }) };
}

/** What changes the prompt, with both of its values. */
function findSwitch(
  run: TrialRun,
  efforts?: TemplateEfforts,
): Required<Pick<TemplateReasoning, "switch" | "isDefault">> | undefined {
  const rendered = (request: Partial<Parameters<TrialRun>[0]>): string | undefined => {
    try {
      return run({ messages: [TRIAL_MESSAGE], ...request });
    } catch {
      return undefined;
    }
  };
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

/** What follows the user's message: the start of the reply. */
function ending(text: string): string {
  return text.slice(text.lastIndexOf(TRIAL_MESSAGE.content) + TRIAL_MESSAGE.content.length);
}
