/** What a template expects of messages beyond the OpenAI API, found out by rendering short conversations. */

import { JsonObject } from "../json-object.ts";
import { takesResultsInCalls } from "./results.ts";
import { findRoleTraits, type RoleTraits } from "./role-traits.ts";
import {
  type TemplateMessage,
  THOUGHT_FORMS,
  type ThoughtForm,
  TRIAL_MESSAGE,
  TRIAL_REPLY,
  TRIAL_TOOL,
  withThought,
} from "./template-message.ts";
import { findToolTraits, type ToolTraits } from "./tool-definitions.ts";
import { parallelTurns, type Rendered, TRIAL_RESULT, TRIAL_THOUGHT, toolTurns } from "./trial-turns.ts";

export interface TemplateTraits extends ToolTraits, RoleTraits {
  /** Whether the arguments of calls are objects (`object-only`: text is refused or lost), or JSON text as in the API. */
  argumentsAs: "object" | "object-only" | "text";
  /** Mistral's templates refuse ids of calls that are not nine letters and digits. */
  hasShortCallIds: boolean;
  /** Whether calls in assistant messages are rendered. */
  hasCalls: boolean;
  /** Whether a call is a message with the tool's name as `metadata`, and its result an `observation`, as of GLM-4 9B. */
  callsAsMetadata: boolean;
  /** Whether both calls of one message are rendered: Llama 3 refuses two, GigaChat 3 drops the second. */
  allowsParallelCalls: boolean;
  /** Whether they are rendered beside text, too: llama.cpp's template of DeepSeek R1 writes either. */
  hasCallsBesideText: boolean;
  /** Whether messages of role `tool` are rendered. */
  hasResults: boolean;
  /** Whether results belong to the message of their calls, as in the first template of Gemma 4. */
  resultsInCalls: boolean;
  /** How a message shows what its model thought before. */
  thoughtAs: ThoughtForm;
  /** Whether a message with calls may have either a thought or text, as gpt-oss's: then the text joins the thought. */
  refusesTextBesideThought: boolean;
  /** Whether text beside calls comes after their results and ends the turn, as Gemma 4's: it joins the thought instead. */
  textAfterResults: boolean;
  /**
   * Whether a call may be replaced by the model's own text: its id is not rendered, and neither is the result only
   * beside the call.
   */
  replaysCalls: boolean;
}

type Run = (request: { messages: readonly TemplateMessage[]; tools?: readonly object[] }) => string;

const METADATA: readonly TemplateMessage[] = [TRIAL_MESSAGE, { ...TRIAL_REPLY, metadata: "infetchMetadata" }];
const TOOLS = [TRIAL_TOOL];
const OBJECT = JsonObject.from('{"infetchKey":"infetchValue"}')!;
const SECOND_OBJECT = JsonObject.from('{"infetchKey":"infetchSecond"}')!;
const LONG_ID = "call_abcdefghijklmnopqrstuvwx";
const SHORT_ID = "abcdefghi";
const IDS = [LONG_ID, SHORT_ID];

/** @param withTools whether the conversations have tools: some templates differ, or refuse to do without */
export function findTraits(run: Run, withTools: boolean): TemplateTraits {
  const rendered: Rendered = (messages, tools = withTools ? TOOLS : undefined) => {
    try {
      return run(tools ? { messages, tools } : { messages });
    } catch {
      return undefined;
    }
  };
  const call = findCallForm(rendered);
  const callsAsMetadata =
    call === undefined && (rendered(METADATA)?.includes(METADATA[1]!.metadata!) ?? false);
  const showsResult = (turns: readonly TemplateMessage[]): boolean =>
    rendered(turns, TOOLS)?.includes(TRIAL_RESULT) ?? false;
  const showsLoneResult = IDS.some((id) => showsResult(toolTurns(id, undefined)));
  const hasResults = call ? showsResult(call.loop) : showsLoneResult;
  const resultsInCalls =
    call !== undefined && takesResultsInCalls((turns) => rendered(turns, TOOLS), call.loop);
  // Some templates write the last nine characters only.
  const showsIds =
    call !== undefined && (rendered(call.loop, TOOLS)?.includes(call.id.slice(-SHORT_ID.length)) ?? false);
  return {
    ...findRoleTraits(rendered, call?.loop),
    ...findThoughtTraits(rendered, call?.loop),
    ...findToolTraits(rendered),
    argumentsAs: call?.argumentsAs ?? "object",
    hasShortCallIds: call?.id === SHORT_ID,
    hasCalls: call !== undefined,
    callsAsMetadata,
    allowsParallelCalls: rendersParallelCalls(rendered),
    hasResults,
    resultsInCalls,
    // Gemma 4 writes results beside their calls only.
    replaysCalls: !callsAsMetadata && !showsIds && !resultsInCalls && (showsLoneResult || !hasResults),
  };
}

interface CallForm {
  id: string;
  argumentsAs: TemplateTraits["argumentsAs"];
  /** A call and its result in this form. */
  loop: TemplateMessage[];
}

/** The form in which the template renders calls; undefined if it renders none. */
function findCallForm(rendered: Rendered): CallForm | undefined {
  const asObject = findRenderedCall(rendered, OBJECT);
  const asText = findRenderedCall(rendered, OBJECT.text);
  const found = asObject ?? asText;
  if (!found) return undefined;
  // A template that quotes text as JSON was written for objects, one that joins it for text.
  const takesText = asText !== undefined && !asText.text.includes('\\"infetchKey');
  // Not as Python writes a dictionary, which no model was trained on; definitions may be written so.
  const takesObject = asObject !== undefined && !asObject.text.includes("{'infetchKey': 'infetchValue'");
  return {
    id: found.id,
    argumentsAs: takesText && !takesObject ? "text" : asText ? "object" : "object-only",
    loop: toolTurns(found.id, takesObject ? OBJECT : OBJECT.text),
  };
}

function findRenderedCall(
  rendered: Rendered,
  args: string | JsonObject,
): { id: string; text: string } | undefined {
  for (const id of IDS) {
    const text = rendered(toolTurns(id, args), TOOLS);
    if (text?.includes("infetchValue") && !text.includes("[object")) return { id, text };
  }
  return undefined;
}

function rendersParallelCalls(rendered: Rendered): boolean {
  const conversations = IDS.flatMap((id) => [
    parallelTurns(id, OBJECT, SECOND_OBJECT),
    parallelTurns(id, OBJECT.text, SECOND_OBJECT.text),
  ]);
  return conversations.some((turns) => {
    const text = rendered(turns, TOOLS);
    return text?.includes("infetchValue") && text.includes("infetchSecond");
  });
}

/** @param loop a call and its result; undefined for templates that render no calls */
function findThoughtTraits(
  rendered: Rendered,
  loop: readonly TemplateMessage[] | undefined,
): Pick<
  TemplateTraits,
  "thoughtAs" | "refusesTextBesideThought" | "textAfterResults" | "hasCallsBesideText"
> {
  const withThoughts = (form: ThoughtForm, turns: readonly TemplateMessage[]): string | undefined => {
    const messages = turns.map((turn) =>
      turn.role === "assistant" ? withThought({ ...turn, reasoning_content: TRIAL_THOUGHT }, form) : turn,
    );
    return rendered(messages, loop ? TOOLS : undefined);
  };
  // In the turn in progress: older thoughts are often left out.
  const turns = loop ?? [TRIAL_MESSAGE, TRIAL_REPLY];
  const thoughtAs = THOUGHT_FORMS.find((form) => {
    const text = withThoughts(form, turns);
    // Quoted: the template writes the whole part or message, as JSON or as Python does.
    return text?.includes(TRIAL_THOUGHT) && !new RegExp(`["']${TRIAL_THOUGHT}`).test(text);
  });
  const withText = loop?.map((turn) =>
    turn.role === "assistant" ? { ...turn, content: "infetchText" } : turn,
  );
  const loopWithText = (withText && rendered(withText, TOOLS)) ?? "";
  const resultAt = loopWithText.lastIndexOf(TRIAL_RESULT);
  return {
    hasCallsBesideText: loop === undefined || loopWithText.includes("infetchValue"),
    textAfterResults: resultAt >= 0 && loopWithText.includes("infetchText", resultAt),
    thoughtAs: thoughtAs ?? "reasoning_content",
    refusesTextBesideThought:
      thoughtAs !== undefined && withText !== undefined && withThoughts(thoughtAs, withText) === undefined,
  };
}
