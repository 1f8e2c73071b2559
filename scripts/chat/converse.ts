/** The conversation of `npm run chat`: one line of input is one turn. */

import type OpenAI from "openai";
import { type Message, streamReply } from "./reply.ts";

interface Terminal {
  /** Prints a part of a reply. */
  write: (text: string) => void;
  /** Prints an error. */
  complain: (text: string) => void;
  /** Prints the prompt for the next line. */
  ask: () => void;
}

/**
 * Adds each line and its reply to the history. A line that fails is not part of it, so that the next one can succeed.
 *
 * @returns how many lines failed
 */
export async function converse(
  openai: OpenAI,
  model: string,
  lines: AsyncIterable<string>,
  { write, complain, ask }: Terminal,
): Promise<number> {
  let history: Message[] = [];
  let failures = 0;
  ask();
  for await (const line of lines) {
    if (line.trim() !== "") {
      const asked: Message[] = [...history, { role: "user", content: line }];
      try {
        const reply = await streamReply(openai, model, asked, write);
        history = [...asked, { role: "assistant", content: reply }];
      } catch (error) {
        failures += 1;
        complain(`\ninfetch: ${(error as Error).message}`);
      }
    }
    ask();
  }
  return failures;
}
