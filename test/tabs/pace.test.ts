/**
 * Readers of different speeds whose tabs are killed: the ledger has what was read, within 32 tokens or 1 s, and never
 * more. In half of the cases the killed tab is the leader, so its server dies too.
 */

import { build } from "esbuild";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyEngine, chromiumArguments } from "../../scripts/browsers/chromium.ts";
import { distFolder } from "../../vite.config.ts";
import { ofTheDay } from "../support/random.ts";
import { type Kind, listen, MAX_TOKENS, type Pace, read } from "./support/paced-reader.ts";
import { UNENDING, usageOf } from "./support/requests.ts";
import { checkpoints, inflight, Tabs, type TabWindow } from "./support/tabs.ts";

/** On web-llm, for readers that are killed while it generates. */
let webllm: Tabs;
/** On llama.cpp, which loads and generates faster, for readers that pause. */
let llamaCpp: Tabs;
let sdk: string;

beforeAll(async () => {
  webllm = await Tabs.open(distFolder, chromiumArguments);
  llamaCpp = await Tabs.open(distFolder, anyEngine);
  const { outputFiles } = await build({
    stdin: { contents: `globalThis.OpenAI = require("openai").OpenAI;`, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
  });
  sdk = outputFiles[0]!.text;
});

afterAll(async () => {
  await webllm?.close();
  await llamaCpp?.close();
});

const PACES: [Pace, Kind, "leads" | "follows"][] = [
  ["fast", "chat", "leads"],
  ["fast", "completions", "follows"],
  ["1 ms", "responses", "leads"],
  ["5 ms", "chat", "follows"],
  ["5 ms", "completions", "leads"],
  ["50 ms", "chat", "leads"],
  ["50 ms", "responses", "follows"],
  ["frames", "completions", "follows"],
  ["tee", "chat", "leads"],
  ["sdk", "chat", "leads"],
  ["sdk", "responses", "follows"],
];

/** A pace pauses on one day and is killed while it reads on the next. */
const PAUSED = ofTheDay(PACES);
const KILLED = PACES.filter((pace) => !PAUSED.includes(pace));

let ledgers = 0;

async function reading(tabs: Tabs, [pace, kind, role]: (typeof PACES)[number], stopAt: number) {
  const storageName = `pace-${++ledgers}`;
  const first = await tabs.newTab({ storageName });
  const second = await tabs.newTab({ storageName });
  const [killed, other] = role === "leads" ? [first, second] : [second, first];
  const channel = `told-${storageName}`;
  const told = await listen(other, channel);
  // Rejects if the tab is killed before the stream ends.
  read(killed, { kind, pace, stopAt, channel, sdk }).catch(() => {});
  const end = async (): Promise<void> => {
    await killed.close().catch(() => {});
    await other.close();
  };
  return { storageName, killed, other, told, end };
}

test.each(PAUSED)(
  "%s, %s, its tab %s: a reader that pauses and is killed pays for what it read",
  async (...of) => {
    const stopAt = of[0] === "50 ms" ? 45 : 150;
    const { storageName, killed, other, told, end } = await reading(llamaCpp, of, stopAt);
    await expect.poll(async () => (await told()).tokens, { timeout: 120_000 }).toBeGreaterThanOrEqual(stopAt);
    const { id, tokens } = await told();
    // A checkpoint has all of it within 1 s of the pause.
    await expect
      .poll(async () => (await checkpoints(other, storageName))[0]?.output_tokens, { timeout: 30_000 })
      .toBe(tokens);
    await llamaCpp.kill(killed);
    await expect.poll(() => usageOf(other), { timeout: 60_000 }).toHaveLength(1);
    const [event] = await usageOf(other);
    expect(event).toMatchObject({ requestId: id, outcome: "interrupted", outputTokens: tokens });
    await end();
  },
);

test.each(KILLED)(
  "%s, %s, its tab %s: killed in the middle of reading, within the documented law",
  async (...of) => {
    const goal = of[0] === "50 ms" ? 60 : 300;
    const { killed, other, told, end } = await reading(webllm, of, MAX_TOKENS + 1);
    const history: { atMs: number; tokens: number }[] = [];
    await expect
      .poll(
        async () => {
          const { tokens } = await told();
          history.push({ atMs: performance.now(), tokens });
          return tokens;
        },
        { timeout: 120_000, interval: 20 },
      )
      .toBeGreaterThanOrEqual(goal);
    await webllm.kill(killed);
    const killedAtMs = performance.now();
    const seen = await told();
    await expect.poll(() => usageOf(other), { timeout: 60_000 }).toHaveLength(1);
    const [event] = await usageOf(other);
    // 1 s plus slack for a loaded machine to write it.
    const certain = history.findLast(({ atMs }) => atMs < killedAtMs - 3_000)?.tokens ?? 0;
    console.log(of.join(", "), JSON.stringify({ read: seen.tokens, recorded: event!.outputTokens, certain }));
    expect(event).toMatchObject({ requestId: seen.id, outcome: "interrupted" });
    // The last chunks may be read but not yet reported.
    expect(event!.outputTokens).toBeLessThanOrEqual(seen.tokens + 32);
    expect(event!.outputTokens).toBeGreaterThanOrEqual(Math.max(1, certain - 32));
    await end();
  },
);

test("a stream that nobody reads costs nothing, neither in the queue nor after it was made", async () => {
  const storageName = "unread";
  const busy = await llamaCpp.newTab({ storageName });
  const unread = await llamaCpp.newTab({ storageName });
  const long = { ...UNENDING, max_tokens: 400 };
  const send = (page: Page, body: object): Promise<string> =>
    page.evaluate(async (json) => {
      const { runtime } = window as unknown as TabWindow;
      const response = await runtime.fetch(`${runtime.baseURL}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
        body: json,
      });
      if (!JSON.parse(json).stream) await response.json();
      (window as unknown as { kept: Response }).kept = response;
      return response.headers.get("x-request-id")!;
    }, JSON.stringify(body));
  const first = send(busy, long);
  const queued = send(unread, { ...UNENDING, max_tokens: 50, stream: true });
  const charged = [await first];
  await queued;
  // The engine runs one request at a time: the unread stream is generated first.
  charged.push(await send(busy, { ...UNENDING, max_tokens: 1 }));
  expect(await checkpoints(busy, storageName)).toEqual([]);
  await llamaCpp.kill(unread);
  charged.push(await send(busy, { ...UNENDING, max_tokens: 1 }));
  await expect.poll(() => inflight(busy, storageName)).toEqual([]);
  expect((await usageOf(busy)).map(({ requestId }) => requestId).sort()).toEqual(charged.sort());
});
