/** What a template expects of the roles of messages and their order. */

import { type TemplateMessage, TRIAL_MESSAGE, TRIAL_REPLY, TRIAL_TOOL } from "./template-message.ts";
import type { Rendered } from "./trial-turns.ts";

export interface RoleTraits {
  /** Whether system messages are rendered; if not, their text is prepended to the first user message. */
  hasSystem: boolean;
  /** Whether a system message is rendered without a user turn; if not, it becomes one where there is no other. */
  hasLoneSystem: boolean;
  /** Whether all system messages after the first message are rendered; if not, they become user turns. */
  hasLaterSystem: boolean;
  /** Whether the system message is rendered where a result ends the conversation, as Mistral Nemo's is not. */
  keepsSystemInToolLoop: boolean;
  /** Whether two messages of one role may follow each other; if not, they are merged. */
  allowsRepeatedRoles: boolean;
  /** The assistant's text between a result and a user turn, for templates that refuse these two in a row. */
  replyAfterResult?: string;
  /** The text of an assistant turn without any, for templates that refuse an empty one. */
  emptyReply?: string;
  /** The user's text in front of an assistant turn that begins a conversation, for templates that refuse or misread it. */
  userBeforeReply?: string;
}

const TOOLS = [TRIAL_TOOL];
const ASKS_AGAIN: TemplateMessage = { role: "user", content: "infetchAsksAgain" };
const SYSTEM: TemplateMessage = { role: "system", content: "infetchSystem" };
const LATER_SYSTEM: TemplateMessage = { role: "system", content: "infetchLaterSystem" };
/** Some templates refuse an empty turn. */
const REPLIES_AFTER_RESULT = ["", "OK."];
const REPLY_FOR_EMPTY = "OK.";
const USERS_BEFORE_REPLY = ["", "Hello."];

/** @param loop a call and its result; undefined for templates that render no calls */
export function findRoleTraits(rendered: Rendered, loop: readonly TemplateMessage[] | undefined): RoleTraits {
  return { ...findSystemTraits(rendered, loop), ...findTurnTraits(rendered, loop) };
}

function findSystemTraits(
  rendered: Rendered,
  loop: readonly TemplateMessage[] | undefined,
): Pick<RoleTraits, "hasSystem" | "hasLoneSystem" | "hasLaterSystem" | "keepsSystemInToolLoop"> {
  const systemLoop = loop && rendered([SYSTEM, ...loop], TOOLS);
  const hasBoth = (text: string | undefined): boolean =>
    [SYSTEM, LATER_SYSTEM].every(({ content }) => text?.includes(content) ?? false);
  return {
    hasLoneSystem: rendered([SYSTEM])?.includes(SYSTEM.content) ?? false,
    hasSystem: rendered([SYSTEM, TRIAL_MESSAGE])?.includes(SYSTEM.content) ?? false,
    hasLaterSystem:
      hasBoth(rendered([SYSTEM, TRIAL_MESSAGE, LATER_SYSTEM])) &&
      hasBoth(rendered([SYSTEM, TRIAL_MESSAGE, TRIAL_REPLY, LATER_SYSTEM, ASKS_AGAIN])) &&
      (systemLoop === undefined || hasBoth(rendered([SYSTEM, ...loop!, LATER_SYSTEM], TOOLS))),
    keepsSystemInToolLoop: systemLoop?.includes(SYSTEM.content) ?? true,
  };
}

function findTurnTraits(
  rendered: Rendered,
  loop: readonly TemplateMessage[] | undefined,
): Pick<RoleTraits, "emptyReply" | "allowsRepeatedRoles" | "replyAfterResult" | "userBeforeReply"> {
  const afterLoop = (...messages: TemplateMessage[]) => loop && rendered([...loop, ...messages], TOOLS);
  const refusesUser = loop !== undefined && afterLoop(ASKS_AGAIN) === undefined;
  const reply = REPLIES_AFTER_RESULT.find(
    (content) => refusesUser && afterLoop({ role: "assistant", content }, ASKS_AGAIN) !== undefined,
  );
  const needsUser = needsUserBeforeReply(rendered);
  const user = USERS_BEFORE_REPLY.find(
    (content) => needsUser && rendered([{ role: "user", content }, TRIAL_REPLY, TRIAL_MESSAGE]) !== undefined,
  );
  const betweenUsers = (content: string): string | undefined =>
    rendered([TRIAL_MESSAGE, { role: "assistant", content }, ASKS_AGAIN]);
  const refusesEmpty = betweenUsers("") === undefined && betweenUsers(REPLY_FOR_EMPTY) !== undefined;
  return {
    ...(refusesEmpty ? { emptyReply: REPLY_FOR_EMPTY } : {}),
    allowsRepeatedRoles: rendered([TRIAL_MESSAGE, ASKS_AGAIN, TRIAL_REPLY, TRIAL_MESSAGE]) !== undefined,
    ...(reply === undefined ? {} : { replyAfterResult: reply }),
    ...(user === undefined ? {} : { userBeforeReply: user }),
  };
}

/** Llama 3 puts tools into the first message, which it assumes to be the user's. DialoGPT writes no roles at all. */
function needsUserBeforeReply(rendered: Rendered): boolean {
  const isAsUsers = (...before: TemplateMessage[]): boolean =>
    rendered([...before, TRIAL_REPLY, TRIAL_MESSAGE]) ===
    rendered([...before, { ...TRIAL_REPLY, role: "user" }, TRIAL_MESSAGE]);
  return rendered([TRIAL_REPLY, TRIAL_MESSAGE]) === undefined || (isAsUsers() && !isAsUsers(TRIAL_MESSAGE));
}
