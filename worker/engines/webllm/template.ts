/** The chat template in a model's `tokenizer_config.json` (https://huggingface.co/docs/transformers/chat_templating). */

import { ChatTemplate, type TemplateSource } from "../../chat-template/chat-template.ts";
import { TRIAL_MESSAGE } from "../../chat-template/traits/template-message.ts";

interface NamedTemplate {
  name: string;
  template: string;
}

/**
 * @param engineAddsBos whether the engine adds the BOS token
 * @returns nothing without a template: MLC's `conv_template` is the fallback; `fault` for one that cannot be used
 */
export function readTemplate(
  config: Record<string, unknown> | undefined,
  engineAddsBos: boolean,
): { template?: TemplateSource; fault?: string } {
  const { chat_template: given } = config ?? {};
  const named = Array.isArray(given) ? (given as NamedTemplate[]) : [];
  const find = (name: string): string | undefined => named.find((one) => one.name === name)?.template;
  const source = typeof given === "string" ? given : find("default");
  const toolUse = find("tool_use");
  if (source === undefined) return {};
  const template: TemplateSource = {
    source,
    ...(toolUse === undefined ? {} : { toolUse }),
    bos: tokenText(config?.bos_token),
    eos: tokenText(config?.eos_token),
    engineAddsBos,
  };
  try {
    new ChatTemplate(template).render({ messages: [TRIAL_MESSAGE] });
    return { template };
  } catch (error) {
    const why = (error as Error).message;
    return {
      fault: `The chat template of tokenizer_config.json cannot be used (${why}): MLC's is used instead.`,
    };
  }
}

/** A token is a text, or an object with its text. */
function tokenText(token: unknown): string {
  if (typeof token === "string") return token;
  const { content } = (token ?? {}) as { content?: unknown };
  return typeof content === "string" ? content : "";
}
