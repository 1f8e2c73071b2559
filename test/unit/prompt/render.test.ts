import { expect, test } from "vitest";
import { renderPrompt } from "../../../worker/prompt/render.ts";

const template = {
  systemTemplate: "{system_message}",
  systemMessage: "",
  renderEmptySystemMessage: false,
  roles: { user: "U", assistant: "A", tool: "U" },
  roleTemplates: { user: "{user_message}", assistant: "[{assistant_message}]", tool: "{tool_message}" },
  separators: ["|"],
  roleContentSeparator: ": ",
  roleEmptySeparator: ":",
  addRoleAfterSystemMessage: true,
};

const turns = [
  { role: "user", text: "1" },
  { role: "assistant", text: "2" },
  { role: "user", text: "3" },
  { role: "assistant", text: "4 {assistant_message} " },
] as const;

test.each([
  ["opening", "U: 1|A: [2]|U: 3|A: [4 {assistant_message} ]|A:"],
  ["message", "U: 1|A: [2]|U: 3|A: [4 {assistant_message} ]|"],
  ["text", "U: 1|A: [2]|U: 3|A: [4 {assistant_message} "],
] as const)(
  "a prompt that ends at the %s, of a template that writes something after a reply",
  (end, prompt) => {
    expect(renderPrompt(turns, template, undefined, end)).toBe(prompt);
  },
);
