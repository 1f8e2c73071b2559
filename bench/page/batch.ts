/** Group j: the lines of a batch, four side by side and one at a time, and a chat beside them. */

import { type Client, MODEL, openClient } from "./client.ts";
import { ask, freshPrompt } from "./first-token.ts";

const TOKENS = 24;
/** Lines that run side by side. */
const WIDTH = 4;

interface Batches {
  /** Generated tokens per second. */
  sideBySide: number;
  oneAtATime: number;
  /** Milliseconds to the first text of chats, idle and during the batch. */
  idleMs: number[];
  besideMs: number[];
}

/** @param lines of each batch */
export async function measureBatch(lines: number): Promise<Batches> {
  const several = await openClient("/infetch/", {
    parallel: WIDTH,
    storageName: "bench-several",
    shared: false,
  });
  const single = await openClient("/infetch/", { parallel: 1, storageName: "bench-one", shared: false });
  for (const client of [several, single]) await run(client, 4);
  const oneAtATime = await run(single, lines);
  single.close();
  const sideBySide = await run(several, lines);
  const idleMs: number[] = [];
  for (let at = 0; at < 10; at++) idleMs.push(await firstMs(several));
  const besideMs: number[] = [];
  let isOver = false;
  const beside = run(several, lines).then((pace) => {
    isOver = true;
    return pace;
  });
  while (!isOver) {
    besideMs.push(await firstMs(several));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log(
    `${lines} lines: ${sideBySide.toFixed(0)} tokens/s, with chats ${(await beside).toFixed(0)}, one at a time ${oneAtATime.toFixed(0)}`,
  );
  several.close();
  return { sideBySide, oneAtATime, idleMs, besideMs };
}

async function firstMs(client: Client): Promise<number> {
  return (await ask(client, { content: freshPrompt(2) })).firstMs;
}

/** @returns generated tokens per second, from its creation to its end */
async function run({ openai, runtime }: Client, lines: number): Promise<number> {
  const text = Array.from({ length: lines }, (_, at) =>
    JSON.stringify({
      custom_id: String(at),
      method: "POST",
      url: "/v1/chat/completions",
      body: {
        model: MODEL,
        messages: [{ role: "user", content: `Tell me about the number ${at}.` }],
        temperature: 0,
        max_tokens: TOKENS,
        ignore_eos: true,
      },
    }),
  ).join("\n");
  const file = await openai.files.create({ file: new File([text], "lines.jsonl"), purpose: "batch" });
  const startedAtMs = performance.now();
  let stop = (): void => {};
  const over = new Promise<void>((resolve) => {
    stop = runtime.on("batch", ({ status, completed }) => {
      if (status === "completed" && completed === lines) resolve();
    });
  });
  await openai.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  await over;
  stop();
  return (lines * TOKENS * 1000) / (performance.now() - startedAtMs);
}
