/** What a template refuses in definitions of tools, or refuses to do without. */

import { TRIAL_MESSAGE, TRIAL_TOOL } from "./template-message.ts";
import type { Rendered } from "./trial-turns.ts";

export interface ToolTraits {
  /** Whether the definitions of tools are rendered. */
  hasTools: boolean;
  /** Whether definitions must have a description and parameters with properties, which the API lets clients leave out. */
  needsFullTools: boolean;
  /** Whether `null` is refused among the types of a parameter: the templates of Hermes 2 Pro and 3 recurse on it without end. */
  refusesNull: boolean;
}

const TRIAL_FUNCTION = TRIAL_TOOL.function;
const BARE = [{ name: "infetchTool" }, { ...TRIAL_FUNCTION, parameters: { type: "object" } }];
const NULLABLE = {
  ...TRIAL_FUNCTION,
  parameters: { type: "object", properties: { infetchKey: { type: ["string", "null"] } } },
};

export function findToolTraits(rendered: Rendered): ToolTraits {
  const whole = rendered([TRIAL_MESSAGE], [TRIAL_TOOL]);
  const refuses = (tool: object): boolean =>
    whole !== undefined && rendered([TRIAL_MESSAGE], [{ type: "function", function: tool }]) === undefined;
  return {
    hasTools: whole?.includes("infetchKey") ?? false,
    needsFullTools: BARE.some(refuses),
    refusesNull: refuses(NULLABLE),
  };
}

interface Tool {
  function: { name: string; description?: string; parameters?: object };
}

/** Definitions of tools as a template takes them. */
export function toolsForTemplate(
  tools: readonly object[],
  { needsFullTools, refusesNull }: ToolTraits,
): readonly object[] {
  const full = needsFullTools ? (tools as readonly Tool[]).map(withAllMembers) : tools;
  return refusesNull ? full.map((tool) => withoutNull(tool) as object) : full;
}

function withAllMembers({ function: { name, description = "", ...rest }, ...tool }: Tool): object {
  const { parameters = { type: "object" } } = rest;
  const whole = "properties" in parameters ? parameters : { ...parameters, properties: {} };
  return { ...tool, function: { name, description, ...rest, parameters: whole } };
}

/** A schema whose types are other than `null`; one with that type alone has none. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, one]) => [
    key,
    key === "type" ? typeWithoutNull(one) : withoutNull(one),
  ]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}

function typeWithoutNull(type: unknown): unknown {
  const isOther = (one: unknown): boolean => one !== "null";
  if (!Array.isArray(type)) return isOther(type) ? withoutNull(type) : undefined;
  const others = type.filter(isOther);
  return others.length > 1 ? others : others[0];
}
