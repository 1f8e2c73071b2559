/** Group j: the same requests at once and in turn. */

import type OpenAI from "openai";
import { type Client, MODEL, openClient } from "./client.ts";
import { takeTurns } from "./rounds.ts";

/** Of each reply, whatever the model would say. */
const TOKENS = 64;

interface Width {
  requests: number;
  /** Tokens per second of all of them. */
  atOnce: number[];
  inTurn: number[];
}

/** @param widths how many requests */
export async function measureWidths(rounds: number, widths: readonly number[]): Promise<Width[]> {
  const client = await openClient();
  const measured: Width[] = [];
  for (const requests of widths) {
    console.log(`${requests} requests`);
    const numbers = [...Array(requests).keys()];
    const values = await takeTurns(rounds, {
      atOnce: () => paceOf(() => Promise.all(numbers.map((at) => ask(client, at)))),
      async inTurn() {
        return paceOf(async () => {
          const replies: OpenAI.ChatCompletion[] = [];
          for (const at of numbers) replies.push(await ask(client, at));
          return replies;
        });
      },
    });
    measured.push({ requests, ...values });
  }
  client.close();
  return measured;
}

/** One request alone, on the engine that runs several and on the one that runs a single one. */
export async function measureAlone(rounds: number): Promise<{ batch: number[]; single: number[] }> {
  const batch = await openClient();
  const single = await openClient("/single/", { shared: false });
  const values = await takeTurns(rounds, {
    batch: () => paceOf(async () => [await ask(batch, 0)]),
    single: () => paceOf(async () => [await ask(single, 0)]),
  });
  batch.close();
  single.close();
  return values;
}

function ask({ openai }: Client, at: number): Promise<OpenAI.ChatCompletion> {
  const request = {
    model: MODEL,
    messages: [{ role: "user" as const, content: `Tell me about the number ${at}.` }],
    temperature: 0,
    max_tokens: TOKENS,
    ignore_eos: true,
  };
  return openai.chat.completions.create(request);
}

/** Generated tokens per second. */
async function paceOf(work: () => Promise<OpenAI.ChatCompletion[]>): Promise<number> {
  const startedAtMs = performance.now();
  const replies = await work();
  const seconds = (performance.now() - startedAtMs) / 1000;
  return replies.reduce((sum, { usage }) => sum + usage!.completion_tokens, 0) / seconds;
}
