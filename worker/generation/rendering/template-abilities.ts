import { ChatTemplate, type TemplateSource } from "../../chat-template/chat-template.ts";
import { toolFormatOf } from "../../tools/formats/template-format.ts";

/** By the source that an engine reported, so that a template is examined once per load. */
const templates = new WeakMap<TemplateSource, ChatTemplate>();

/** The template of a source. */
export function templateOf(source: TemplateSource): ChatTemplate {
  const known = templates.get(source);
  if (known) return known;
  const template = new ChatTemplate(source);
  templates.set(source, template);
  return template;
}

/** What requests a model's template supports. */
export function templateAbilities(source: TemplateSource): { tools: boolean; reasoning: boolean } {
  const template = templateOf(source);
  return {
    tools: template.traits(true).hasTools && toolFormatOf(template) !== undefined,
    reasoning: template.reasoning !== undefined,
  };
}
