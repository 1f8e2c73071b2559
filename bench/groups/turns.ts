/** e: tokens prefilled in a conversation, over the minimum of any engine. */

import type { Figure } from "../figures.ts";
import type { Prefill } from "../page/turns.ts";
import type { Group } from "./group.ts";

export const turns: Group = (lab) =>
  lab.withPage(async ({ call }) => {
    const { alone, interleaved } = await call("measureTurns");
    const figure = (what: string, { fedTokens, uniqueTokens }: Prefill, goal?: number): Figure => ({
      group: "e",
      what,
      infetch: { what: "tokens fed", value: fedTokens, unit: "tokens" },
      baseline: { what: "tokens to feed once", value: uniqueTokens, unit: "tokens" },
      result: { value: fedTokens / uniqueTokens, unit: "×" },
      ...(goal === undefined ? {} : { goal: { bound: "at most", value: goal } }),
    });
    return [
      figure("prefill of a chat of 10 turns", alone, 1.05),
      figure("prefill of two such chats, turn by turn", interleaved, 1.1),
    ];
  });
