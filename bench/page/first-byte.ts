/** Group b: latency of the first token from the engine to the page. */

import { FIRST_TOKENS } from "../first-tokens.ts";
import { type Client, MODEL, nowMs, openClient, postChat } from "./client.ts";

/** Milliseconds per request until the first byte, and until the SDK's first chunk. */
export async function measureFirstByte(requests: number): Promise<{ bytes: number[]; sdk: number[] }> {
  const client = await openClient("/timed/");
  const channel = new BroadcastChannel(FIRST_TOKENS);
  const firstTokenTimes: number[] = [];
  let wake = (): void => {};
  channel.onmessage = ({ data }: MessageEvent<number>) => {
    firstTokenTimes.push(data);
    wake();
  };
  const nextFirstToken = async (): Promise<number> => {
    while (firstTokenTimes.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return firstTokenTimes.shift()!;
  };
  const bytes: number[] = [];
  const sdk: number[] = [];
  await firstByte(client);
  await nextFirstToken();
  for (let request = 0; request < requests; request++) {
    bytes.push((await firstByte(client)) - (await nextFirstToken()));
    sdk.push((await firstChunk(client)) - (await nextFirstToken()));
    if (request % 25 === 24) console.log(`${request + 1} of ${requests} requests`);
  }
  client.close();
  channel.close();
  return { bytes, sdk };
}

const BODY = { messages: [{ role: "user" as const, content: "Hello!" }], max_tokens: 4 };

async function firstByte(client: Client): Promise<number> {
  const reader = (await postChat(client, BODY)).getReader();
  await reader.read();
  const atMs = nowMs();
  while (!(await reader.read()).done);
  return atMs;
}

async function firstChunk({ openai }: Client): Promise<number> {
  let atMs = 0;
  for await (const _ of await openai.chat.completions.create({ model: MODEL, stream: true, ...BODY })) {
    atMs ||= nowMs();
  }
  return atMs;
}
