/** A model's own chat template, rendered for each request, with what it expects of messages found out once. */

import { BoundedTemplate } from "./bounded-template.ts";
import type { TemplateLimits } from "./jinja/budget.ts";
import { forTemplate, type WriteCalls } from "./messages/normalize.ts";
import { findReasoning, type TemplateReasoning } from "./reasoning/reasoning.ts";
import {
  CONTENT_FORMS,
  type ContentForm,
  type TemplateMessage,
  TRIAL_DOCUMENT,
  TRIAL_LANGUAGES,
  TRIAL_MESSAGE,
  TRIAL_TOOL,
  withContent,
  withEmptyThought,
} from "./traits/template-message.ts";
import { toolsForTemplate } from "./traits/tool-definitions.ts";
import { TOOL_FORMS, type ToolForm, withTools } from "./traits/tool-form.ts";
import { findTraits, type TemplateTraits } from "./traits/traits.ts";
import { type WrittenCalls, writtenCalls } from "./written-calls.ts";

/** A template as a model's files give it. Plain data, as engines report it. */
export interface TemplateSource {
  source: string;
  /** Used instead for requests with tools, where a model has a second template (`tool_use`). */
  toolUse?: string;
  /** Texts of the tokens that templates name; empty where the model has none. */
  bos: string;
  eos: string;
  /** Whether the engine adds the BOS token, so that the prompt must not begin with it. */
  engineAddsBos: boolean;
}

/** One request to render. */
export interface TemplateRequest {
  messages: readonly TemplateMessage[];
  /** Tool definitions as the API takes them; undefined or empty: none. */
  tools?: readonly object[];
  /** Whether the prompt ends with the start of a reply. @default true */
  opensReply?: boolean;
  /** More variables, such as `enable_thinking` (vLLM's `chat_template_kwargs`). */
  variables?: Readonly<Record<string, unknown>>;
}

export class ChatTemplate {
  readonly #given: TemplateSource;
  /** For requests without and with tools. */
  readonly #compiled: { plain: BoundedTemplate; withTools: BoundedTemplate };
  readonly #traits = new Map<boolean, TemplateTraits>();
  #content: ContentForm | undefined;
  #thoughts: { needed: boolean } | undefined;
  #tools: ToolForm | undefined;
  #noTools: { value: null | undefined } | undefined;
  #reasoning: { found: TemplateReasoning | undefined } | undefined;
  #calls: { found: WrittenCalls | undefined } | undefined;

  /** @throws {Error} if the source is not a template */
  constructor(given: TemplateSource) {
    const plain = new BoundedTemplate(given.source);
    this.#compiled = {
      plain,
      withTools: given.toolUse === undefined ? plain : new BoundedTemplate(given.toolUse),
    };
    this.#given = given;
  }

  /** The text of the template that renders requests, with or without tools. */
  source(hasTools: boolean): string {
    const { source, toolUse } = this.#given;
    return hasTools ? (toolUse ?? source) : source;
  }

  /** What the template expects of messages. Found out by rendering short conversations, once. */
  traits(hasTools: boolean): TemplateTraits {
    const known = this.#traits.get(hasTools);
    if (known) return known;
    const traits = findTraits((request) => this.#try(request), hasTools);
    this.#traits.set(hasTools, traits);
    return traits;
  }

  /** How the model thinks, as far as its template shows. */
  get reasoning(): TemplateReasoning | undefined {
    this.#reasoning ??= {
      found: findReasoning(this.source(false), (request) => this.#try(request)),
    };
    return this.#reasoning.found;
  }

  /** How the template itself writes calls; undefined if it does not. */
  get calls(): WrittenCalls | undefined {
    this.#calls ??= { found: writtenCalls((request) => this.render(request), this.reasoning?.close) };
    return this.#calls.found;
  }

  /**
   * The prompt of a request, as the template writes it, without a BOS token that the engine adds.
   *
   * @param write writes calls as text, for templates that do not render them
   * @throws {Error} the template's own message where it refuses the conversation, or a limit that it exceeds
   */
  render({ messages, ...request }: TemplateRequest, write?: WriteCalls): string {
    const traits = this.traits(hasTools(request));
    const prompt = this.#run({
      ...request,
      ...(request.tools ? { tools: toolsForTemplate(request.tools, traits) } : {}),
      messages: forTemplate(messages, traits, write),
    });
    const { bos, engineAddsBos } = this.#given;
    return engineAddsBos && bos !== "" && prompt.startsWith(bos) ? prompt.slice(bos.length) : prompt;
  }

  get #contentForm(): ContentForm {
    this.#content ??= CONTENT_FORMS.find((form) => this.#showsContent(form)) ?? "text";
    return this.#content;
  }

  /** Whether the template refuses replies without a thought, be it empty, as K2 Horizon's does. */
  get #needsThoughts(): boolean {
    this.#thoughts ??= { needed: this.#findThoughts() };
    return this.#thoughts.needed;
  }

  get #toolForm(): ToolForm {
    this.#tools ??= TOOL_FORMS.find((form) => this.#showsTools(form)) ?? TOOL_FORMS[0];
    return this.#tools;
  }

  get #absentTools(): { value: null | undefined } {
    this.#noTools ??= { value: this.#findNoTools() };
    return this.#noTools;
  }

  #showsContent(form: ContentForm): boolean {
    const messages = [withContent(TRIAL_MESSAGE, form, TRIAL_LANGUAGES)];
    return this.#probe({ messages })?.includes(TRIAL_MESSAGE.content) ?? false;
  }

  #findThoughts(): boolean {
    const reply: TemplateMessage = { role: "assistant", content: TRIAL_MESSAGE.content };
    const renders = (turn: TemplateMessage): boolean => {
      const messages = [TRIAL_MESSAGE, turn, TRIAL_MESSAGE];
      return this.#probe({ messages: this.#withContent(messages, TRIAL_LANGUAGES) }) !== undefined;
    };
    return !renders(reply) && renders(withEmptyThought(reply));
  }

  #showsTools(form: ToolForm): boolean {
    const request = { messages: [TRIAL_MESSAGE], tools: [TRIAL_TOOL], variables: TRIAL_LANGUAGES };
    return this.#probe(this.#shaped(request, form))?.includes("infetchKey") ?? false;
  }

  /** Null, as in transformers; undefined, as in llama.cpp, for templates that only check whether tools are defined. */
  #findNoTools(): null | undefined {
    // Command R7B's template goes through tools where there are documents.
    const isEnough = (documents?: object[]): boolean => {
      const renders = (value: null | undefined): boolean =>
        Boolean(this.#probe({ messages: [TRIAL_MESSAGE], variables: { documents } }, { value }));
      return renders(null) || !renders(undefined);
    };
    return isEnough() && isEnough([TRIAL_DOCUMENT]) ? null : undefined;
  }

  /** A short conversation; undefined if the template refuses it. */
  #probe(request: TemplateRequest, noTools?: { value: null | undefined }): string | undefined {
    try {
      return this.#runWith(request, PROBE_LIMITS, noTools);
    } catch {
      return undefined;
    }
  }

  /** The same as a request of its own is rendered. @throws as the template does */
  #try(request: TemplateRequest): string {
    return this.#run({ ...request, variables: { ...TRIAL_LANGUAGES, ...request.variables } }, PROBE_LIMITS);
  }

  #run(request: TemplateRequest, limits = limitsFor(request)): string {
    return this.#runWith(this.#shaped(request, hasTools(request) ? this.#toolForm : "whole"), limits);
  }

  /** The request in the form that the template reads. */
  #shaped(request: TemplateRequest, toolForm: ToolForm): TemplateRequest {
    const given = withTools(request, toolForm);
    const messages = this.#needsThoughts ? given.messages.map(withEmptyThought) : given.messages;
    return { ...given, messages: this.#withContent(messages, request.variables) };
  }

  #withContent(
    messages: readonly TemplateMessage[],
    variables: TemplateRequest["variables"] = {},
  ): readonly TemplateMessage[] {
    return messages.map((message) => withContent(message, this.#contentForm, variables));
  }

  #runWith(request: TemplateRequest, limits: TemplateLimits, noTools = this.#absentTools): string {
    const { messages, tools, opensReply = true, variables = {} } = request;
    const given = tools && tools.length > 0 ? tools : noTools.value;
    const template = given ? this.#compiled.withTools : this.#compiled.plain;
    const items = {
      ...variables,
      messages,
      tools: given,
      // SmolLM3's name for tools that are called with JSON.
      xml_tools: given,
      documents: variables.documents ?? null,
      add_generation_prompt: opensReply,
      bos_token: this.#given.bos,
      eos_token: this.#given.eos,
    };
    return template.render(items, limits);
  }
}

function hasTools({ tools }: Pick<TemplateRequest, "tools">): boolean {
  return tools !== undefined && tools.length > 0;
}

/** Short conversations only: published templates take some thousands of steps. */
const PROBE_LIMITS: TemplateLimits = { steps: 20_000, length: 100_000 };

/** Templates such as Gemma 4's search all messages for each message. */
const STEPS_OF_A_PAIR = 10;
/** Templates such as LFM2's add each tool to one text, which is read each time. */
const CHARACTERS_OF_A_STEP = 8;
/** Takes at most some seconds. */
const MAX_PAIR_STEPS = 5_000_000;

/** Limits that grow with what the client sent, which is limited itself. */
function limitsFor({ messages, tools = [], variables = {} }: TemplateRequest): TemplateLimits {
  const sent = [...messages, ...tools, variables];
  const characters = sent.reduce((sum: number, one) => sum + JSON.stringify(one).length, 0);
  const pairs = STEPS_OF_A_PAIR * messages.length ** 2 + (sent.length * characters) / CHARACTERS_OF_A_STEP;
  return {
    steps:
      100_000 +
      2_000 * (messages.length + tools.length) +
      Math.min(Math.floor(pairs), MAX_PAIR_STEPS) +
      characters,
    length: 200_000 + 4 * characters,
  };
}
