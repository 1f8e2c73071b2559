import { reasonOf } from "../../../store/loadable.ts";

/** What to do in the console, by the error's code: the API's messages are for programmers. */
const ADVICE = new Map([
  ["context_length_exceeded", "In this console: start a new chat, or edit an earlier message."],
  ["insufficient_storage", "In this console: delete models in Models, or choose another one above."],
  ["insufficient_memory", "In this console: choose a smaller model above, or unload others in Models."],
]);

/** Why a reply failed, and what helps. */
export function explain(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  const advice = typeof code === "string" ? ADVICE.get(code) : undefined;
  return advice ? `${reasonOf(error)} ${advice}` : reasonOf(error);
}
