import type { ConversationTemplate } from "../../engines/types.ts";
import type { PromptMessage } from "./messages.ts";

/**
 * The prompt text of a conversation, up to where the assistant begins to speak, by the model's own template.
 * It is what web-llm's `Conversation.getPromptArray` joins to, but exact: texts are put in by slicing, so `$`
 * and template markers in a message stay as they were sent.
 *
 * Templates know one system message, at the beginning. The leading ones are joined into it; a later one keeps
 * its place as a turn of its own where the template writes roles as ChatML does, else it becomes part of the
 * user's side.
 */
export function renderPrompt(messages: readonly PromptMessage[], template: ConversationTemplate): string {
  const turns = [...messages];
  const leading: string[] = [];
  while (turns[0]?.role === "system") leading.push(turns.shift()!.text);
  const system = leading.length > 0 ? leading.join("\n\n") : template.systemMessage;
  const hasSystem = system !== "" || template.renderEmptySystemMessage;
  let prompt = hasSystem ? fill(template.systemTemplate, "{system_message}", system) : "";
  turns.forEach((turn, at) => {
    const bare = at === 0 && hasSystem && !template.addRoleAfterSystemMessage;
    prompt += (bare ? "" : header(turn, template)) + body(turn, template) + separator(at, template);
  });
  return prompt + template.roles.assistant + template.roleEmptySeparator;
}

function header(turn: PromptMessage, template: ConversationTemplate): string {
  if (turn.role !== "system") return template.roles[turn.role] + template.roleContentSeparator;
  return systemRole(template) + template.roleContentSeparator;
}

function body(turn: PromptMessage, { roleTemplates }: ConversationTemplate): string {
  if (turn.role === "system") return turn.text;
  return fill(roleTemplates[turn.role], `{${turn.role}_message}`, turn.text);
}

function separator(at: number, { separators }: ConversationTemplate): string {
  return separators[at % separators.length] ?? "";
}

const CHATML_ROLE = "<|im_start|>";

function systemRole({ roles }: ConversationTemplate): string {
  return roles.user.startsWith(CHATML_ROLE) ? `${CHATML_ROLE}system` : roles.user;
}

function fill(template: string, placeholder: string, text: string): string {
  const at = template.indexOf(placeholder);
  if (at < 0) return template + text;
  return template.slice(0, at) + text + template.slice(at + placeholder.length);
}
