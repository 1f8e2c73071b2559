/**
 * Makes web-llm accept a prompt verbatim. Its templates use `String.replace`, which corrupts `$`, and cannot express
 * tools, late system messages or a trailing assistant message. Prompts are therefore rendered here, and the model is
 * loaded with a template that adds nothing.
 */

import type { ConversationTemplate } from "../../../engine-api/conversation-template.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";

/** The fields of MLC's `conv_template` used here. */
interface MlcConversation {
  system_template?: string;
  system_message?: string;
  render_empty_system_message?: boolean;
  system_prefix_token_ids?: number[];
  roles: Record<string, string>;
  role_templates?: Record<string, string>;
  seps: string[];
  role_content_sep?: string;
  role_empty_sep?: string;
  stop_str: string[];
  stop_token_ids: number[];
  add_role_after_system_message?: boolean;
}

/** The model's own template, for our renderer, with web-llm's defaults (`Conversation`, 0.2.86). */
export function conversationTemplate(config: Record<string, unknown>): ConversationTemplate {
  const conversation = requireConversation(config);
  const { roles, role_templates: templates } = conversation;
  return {
    systemTemplate: conversation.system_template ?? "{system_message}",
    systemMessage: conversation.system_message ?? "",
    renderEmptySystemMessage: conversation.render_empty_system_message ?? true,
    roles: { user: roles.user ?? "", assistant: roles.assistant ?? "", tool: roles.tool ?? roles.user ?? "" },
    roleTemplates: {
      user: templates?.user ?? "{user_message}",
      assistant: templates?.assistant ?? "{assistant_message}",
      tool: templates?.tool ?? "{tool_message}",
    },
    separators: conversation.seps,
    roleContentSeparator: conversation.role_content_sep ?? ": ",
    roleEmptySeparator: conversation.role_empty_sep ?? ": ",
    addRoleAfterSystemMessage: conversation.add_role_after_system_message ?? true,
  };
}

/** Token ids that web-llm prepends to every new prompt and omits from its usage. */
export function prefixTokens(config: Record<string, unknown>): number[] {
  return requireConversation(config).system_prefix_token_ids ?? [];
}

/** Configuration overrides that make web-llm pass every message through verbatim. */
export function rawConversation(config: Record<string, unknown>): Record<string, unknown> {
  const own = requireConversation(config);
  return {
    conv_template: {
      name: "infetch-raw",
      system_template: "{system_message}",
      system_message: "",
      render_empty_system_message: false,
      system_prefix_token_ids: own.system_prefix_token_ids ?? [],
      roles: { user: "", assistant: "", tool: "" },
      seps: [""],
      role_content_sep: "",
      role_empty_sep: "",
      stop_str: own.stop_str ?? [],
      stop_token_ids: own.stop_token_ids ?? [],
      add_role_after_system_message: true,
    },
  };
}

/** @throws {EngineError} `model_load_failed` for builds of early MLC versions, which name a template instead */
export function requireConversation({
  conv_template: conversation,
}: Record<string, unknown>): MlcConversation {
  const { roles, seps } = (conversation ?? {}) as Partial<MlcConversation>;
  if (typeof roles === "object" && roles !== null && Array.isArray(seps))
    return conversation as MlcConversation;
  throw new EngineError(
    "model_load_failed",
    "The model's mlc-chat-config.json has no chat template of its own: an early version of MLC created it. Use a newer build of the model.",
  );
}
