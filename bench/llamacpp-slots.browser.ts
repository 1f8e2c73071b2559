/**
 * llama.cpp with one and with four slots, one request at a time: chats that take turns, in time, tokens fed and memory.
 * The sides alternate in one page, so that load affects both, and each measurement has an instance of its own: `npx vitest
 * run --project bench bench/llamacpp-slots.browser.ts`.
 */

import type { RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";
import { test } from "vitest";
import { completionRequest } from "../worker/engines/llamacpp/completion-request.ts";
import { withHeapSize } from "./page/llamacpp-heap.ts";
import { CONTEXT, greedyRequest, openWllama } from "./page/llamacpp-sides.ts";

const ROUNDS = 3;
const TURNS = 10;
const ALL = [0, 1, 2, 3];
const REPLY = 24;
const SIDES = { one: {}, four: { n_parallel: 4, kv_unified: true, cache_idle_slots: false } };
type Side = keyof typeof SIDES;
const MB = 2 ** 20;
const INSTRUCTIONS = "You answer in a few words, in plain English, and you say so if you do not know. ";
const QUESTION =
  "<|im_end|>\n<|im_start|>user\nWhat is the capital of Japan, and what is 12 + 30?<|im_end|>\n<|im_start|>assistant\n";

interface Cost {
  fedTokens: number;
  uniqueTokens: number;
  seconds: number;
  texts: string[];
}

/** Chats of ten turns each, in turns; four of them fill the context. */
async function chats(wllama: Wllama, names: readonly number[]): Promise<Cost> {
  const prompts = names.map(
    (name) => `<|im_start|>system\nChat ${name} is with you. ${INSTRUCTIONS.repeat(12)}`,
  );
  const written = prompts.map(() => 0);
  const last = prompts.map(() => 0);
  const cost: Cost = { fedTokens: 0, uniqueTokens: 0, seconds: 0, texts: [] };
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

/** What the chats cost in a new instance, and its memory before and after them. */
async function measure(side: Side, names: readonly number[]) {
  const { opened: wllama, heapBytes } = await withHeapSize(() => openWllama("/package/", SIDES[side]));
  const loadedMB = (await heapBytes()) / MB;
  const cost = await chats(wllama, names);
  const usedMB = (await heapBytes()) / MB;
  await wllama.exit();
  return { ...cost, loadedMB, usedMB };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

test("chats in turns, with one and with four slots", { timeout: 600_000 }, async () => {
  const alone: string[][] = [];
  for (const name of ALL) alone.push((await measure("one", [name])).texts);
  for (const count of [1, 2, 4]) {
    const names = ALL.slice(0, count);
    const rounds: Record<Side, Awaited<ReturnType<typeof measure>>>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const one = await measure("one", names);
      rounds.push({ one, four: await measure("four", names) });
    }
    for (const side of ["one", "four"] as const) {
      const { fedTokens, uniqueTokens, loadedMB, usedMB, texts } = rounds[0]![side];
      const seconds = median(rounds.map((round) => round[side].seconds)).toFixed(2);
      const fed = `${fedTokens} fed of ${uniqueTokens} unique = ${(fedTokens / uniqueTokens).toFixed(2)}`;
      const equal = texts.filter((text, at) => text === alone[at % count]![Math.floor(at / count)]).length;
      const results = [
        fed,
        `${seconds} s`,
        `${loadedMB} MB, then ${usedMB} MB`,
        `${equal} of ${texts.length} replies as alone`,
      ];
      console.log(`${count} chats, slots: ${side}: ${results.join("; ")}`);
    }
    const ratio = median(rounds.map((round) => round.four.seconds / round.one.seconds)).toFixed(2);
    console.log(`${count} chats: four take ${ratio} of the time of one`);
  }
});
