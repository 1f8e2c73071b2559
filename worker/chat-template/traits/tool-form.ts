/** Definitions of tools in the form that a template reads. */

import { fromData } from "../jinja/from-data.ts";
import { json } from "../jinja/text/python-text.ts";
import type { TemplateMessage } from "./template-message.ts";

/**
 * As the API takes them; functions alone, as Apertus's template reads them; or in the system message, as JSON text for
 * Phi-4-mini, as a list for the first GLM-4 9B.
 */
export const TOOL_FORMS = ["whole", "functions", "system-text", "system-list"] as const;
export type ToolForm = (typeof TOOL_FORMS)[number];

interface Shaped {
  messages: readonly TemplateMessage[];
  tools?: readonly object[];
}

export function withTools<T extends Shaped>(request: T, form: ToolForm): T {
  if (form === "whole") return request;
  const functions = (request.tools ?? []).map((tool) => (tool as { function: object }).function);
  if (form === "functions") return { ...request, tools: functions };
  const { messages } = request;
  const hasSystem = messages[0]?.role === "system";
  const system: TemplateMessage = hasSystem ? messages[0]! : { role: "system", content: "" };
  const rest = hasSystem ? messages.slice(1) : messages;
  const tools = form === "system-list" ? request.tools : json(fromData(functions));
  return { ...request, messages: [{ ...system, ...(tools ? { tools } : {}) }, ...rest] };
}
