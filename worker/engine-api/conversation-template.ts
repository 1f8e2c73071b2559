/** MLC's description of a model's prompts: types only. */

/** The fields of an MLC `conv_template` that render messages. */
export interface ConversationTemplate {
  /** Contains `{system_message}`. */
  systemTemplate: string;
  /** Default for conversations without a system message. */
  systemMessage: string;
  renderEmptySystemMessage: boolean;
  roles: { user: string; assistant: string; tool: string };
  /** Contain `{user_message}`, `{assistant_message}`, `{tool_message}`. */
  roleTemplates: { user: string; assistant: string; tool: string };
  /** Appended to messages in rotation. */
  separators: string[];
  roleContentSeparator: string;
  roleEmptySeparator: string;
  addRoleAfterSystemMessage: boolean;
}
