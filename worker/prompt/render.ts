import type { ConversationTemplate } from "../engine-api/conversation-template.ts";
import type { PromptEnd, PromptTurn } from "./messages.ts";

/** Returns the raw text of an assistant turn by the prompt before it; undefined renders the turn's text. */
type FindReply = (prompt: string, turn: number) => string | undefined;

/**
 * Renders a conversation with the model's template, up to `end`. Equals the joined
 * `Conversation.getPromptArray` of web-llm, except that texts are inserted by slicing, so that `$` and template
 * markers in messages stay unchanged.
 *
 * Templates support one system message, as the first turn. Later ones are separate system turns in ChatML templates,
 * and user turns in others.
 */
export function renderPrompt(
  turns: readonly PromptTurn[],
  template: ConversationTemplate,
  findReply: FindReply = () => undefined,
  end: PromptEnd = "opening",
): string {
  const own = turns[0]?.role === "system" ? turns[0].text : undefined;
  const system = own ?? template.systemMessage;
  const hasSystem = system !== "" || template.renderEmptySystemMessage;
  let prompt = hasSystem ? fill(template.systemTemplate, "{system_message}", system) : "";
  const first = own === undefined ? 0 : 1;
  for (const [at, turn] of turns.entries()) {
    if (at < first) continue;
    const bare = at === first && hasSystem && !template.addRoleAfterSystemMessage;
    prompt += bare ? "" : header(turn, template);
    if (end === "text" && at === turns.length - 1) return prompt + beginningOf(turn, template);
    const raw = turn.role === "assistant" ? findReply(prompt, at) : undefined;
    prompt += raw ?? body(turn, template);
    prompt += template.separators[(at - first) % template.separators.length] ?? "";
  }
  return end === "message" ? prompt : prompt + template.roles.assistant + template.roleEmptySeparator;
}

function header(turn: PromptTurn, template: ConversationTemplate): string {
  const role = turn.role === "system" ? systemRole(template) : template.roles[turn.role];
  return role + template.roleContentSeparator;
}

function body(turn: PromptTurn, { roleTemplates }: ConversationTemplate): string {
  if (turn.role === "system") return turn.text;
  return fill(roleTemplates[turn.role], `{${turn.role}_message}`, turn.text);
}

/** The body of a reply up to the end of its text. */
function beginningOf({ text }: PromptTurn, { roleTemplates }: ConversationTemplate): string {
  const [before = ""] = roleTemplates.assistant.split("{assistant_message}");
  return before + text;
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
