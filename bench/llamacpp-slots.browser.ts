/**
 * llama.cpp with one and with four slots, one request at a time: chats that take turns. Both sides alternate in one page,
 * so that load affects both: `npx vitest run --project bench bench/llamacpp-slots.browser.ts`.
 */

import type { RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import { test } from "vitest";
import { completionRequest } from "../worker/engines/llamacpp/completion-request.ts";
import { CONTEXT, greedyRequest, openWllama } from "./page/llamacpp-sides.ts";

const ROUNDS = 2;
const TURNS = 10;
const REPLY = 24;
const FOUR = { n_parallel: 4, kv_unified: true, cache_idle_slots: false };
const QUESTION =
  "<|im_end|>\n<|im_start|>user\nWhat is the capital of Japan, and what is 12 + 30?<|im_end|>\n<|im_start|>assistant\n";

interface Cost {
  fedTokens: number;
  uniqueTokens: number;
  seconds: number;
  texts: string[];
}

/** So many chats of ten turns each, in turns. */
async function chats(wllama: Wllama, count: number, round: number): Promise<Cost> {
  const prompts = Array.from(
    { length: count },
    (_, at) => `<|im_start|>system\nChat ${round}-${count}-${at} is with you.`,
  );
  const written = prompts.map(() => 0);
  const cost: Cost = { fedTokens: 0, uniqueTokens: 0, seconds: 0, texts: [] };
  const last = prompts.map(() => 0);
  const startedAtMs = performance.now();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const at of prompts.keys()) {
      prompts[at] += QUESTION;
      const prompt = prompts[at]!;
      const how = { careful: false, mayReuse: true };
      let timings: RawCompletionChunk["timings"];
      let text = "";
      await wllama.createCompletion({
        ...(completionRequest(prompt, greedyRequest(prompt, REPLY), CONTEXT, how) as { prompt: string }),
        stream: true,
        onData: (chunk: RawCompletionChunk) => {
          text += chunk.choices[0]?.text ?? "";
          timings = chunk.timings ?? timings;
        },
      });
      const { prompt_n = 0, cache_n = 0, predicted_n = 0 } = timings ?? {};
      cost.fedTokens += prompt_n;
      last[at] = prompt_n + cache_n - written[at]!;
      written[at]! += predicted_n;
      prompts[at] += text;
      cost.texts.push(text);
    }
  }
  cost.seconds = (performance.now() - startedAtMs) / 1000;
  cost.uniqueTokens = last.reduce((sum, tokens) => sum + tokens, 0);
  return cost;
}

test("chats in turns, with one and with four slots", async () => {
  const sides = { one: await openWllama("/package/"), four: await openWllama("/package/", FOUR) };
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of [1, 2, 4, 5]) {
      const one = await chats(sides.one, count, round);
      const four = await chats(sides.four, count, round);
      const same = one.texts.filter((text, at) => text === four.texts[at]).length;
      for (const [side, { fedTokens, uniqueTokens, seconds }] of Object.entries({ one, four })) {
        const ratio = (fedTokens / uniqueTokens).toFixed(2);
        const cost = `${fedTokens} fed of ${uniqueTokens} unique = ${ratio}, ${seconds.toFixed(1)} s`;
        console.log(
          `${count} chats, slots: ${side}: ${cost}; ${same} of ${one.texts.length} replies the same`,
        );
      }
    }
  }
  for (const side of Object.values(sides)) await side.exit();
});
