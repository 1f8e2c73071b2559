/** Prompts of 10 and 100 MB on the real engines are refused, and no concurrent chat fails. */

import { afterEach, expect, test } from "vitest";
import { chromiumArguments, withoutWebGPU } from "../../../scripts/browsers/chromium.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { type FaultyPage, openPage } from "./support/page.ts";

const MEGABYTE = 2 ** 20;

let opened: FaultyPage | undefined;
afterEach(() => opened?.close());

const paths = ["/chat/completions", "/completions", "/responses", "/embeddings"] as const;

interface Outcome {
  status: number;
  code: string | undefined;
  param: string | undefined;
  message: string | undefined;
  /** Engine of a chat sent afterwards. */
  engine: string;
  /** Statuses of the chats sent in turn meanwhile, and of that one. */
  chats: number[];
}

test.each([
  { engine: "llamacpp", megabytes: 10, args: withoutWebGPU },
  { engine: "webllm", megabytes: 100, args: chromiumArguments },
])(
  "prompts of $megabytes MB are a 400 that says how long they are, cost nothing, and no chat beside them fails: $engine",
  async ({ engine, megabytes, args }) => {
    opened = await openPage(undefined, args);
    const { page } = opened;
    await ends("the models load", page.evaluate(loadModels));
    let chats = 0;
    for (const path of paths) {
      const refusing = page.evaluate(refuseBesideChats, { path, bytes: megabytes * MEGABYTE });
      const outcome = await ends(`${path}: a prompt of ${megabytes} MB beside chats`, refusing);
      expect(outcome, path).toMatchObject({ status: 400, code: "context_length_exceeded", engine });
      expect(outcome.param, path).toMatch(/^(messages|prompt|input)/);
      expect(outcome.message, path).toMatch(/\d{6,}/);
      expect(new Set(outcome.chats), path).toEqual(new Set([200]));
      chats += outcome.chats.length;
    }
    const recorded = await page.evaluate(() =>
      (globalThis as unknown as { runtime: import("infetch").Runtime }).runtime.usage.list(),
    );
    expect(recorded).toHaveLength(chats);
  },
);

/** Runs in the page. */
async function loadModels(): Promise<void> {
  const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
  await runtime.models.load("infetch-tiny");
  await runtime.models.load("infetch-tiny-embed");
}

/** Runs in the page. */
async function refuseBesideChats({
  path,
  bytes,
}: {
  path: (typeof paths)[number];
  bytes: number;
}): Promise<Outcome> {
  const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
  const post = (path: string, body: object): Promise<Response> =>
    runtime.fetch(runtime.baseURL + path, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}` },
      body: JSON.stringify(body),
    });
  const words = "word ".repeat(bytes / 5);
  const huge = {
    "/chat/completions": { model: "infetch-tiny", messages: [{ role: "user", content: words }] },
    "/completions": { model: "infetch-tiny", prompt: "a".repeat(bytes) },
    "/responses": { model: "infetch-tiny", input: words, store: false },
    "/embeddings": { model: "infetch-tiny-embed", input: words },
  };
  let isOpen = true;
  const refusing = post(path, huge[path]).finally(() => {
    isOpen = false;
  });
  const small = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], max_tokens: 2 };
  const chats: number[] = [];
  let engine = "";
  for (let isLast = false; !isLast; ) {
    isLast = !isOpen;
    const response = await post("/chat/completions", small);
    await response.json();
    engine = response.headers.get("x-infetch-engine")!.split(";")[0]!;
    chats.push(response.status);
  }
  const response = await refusing;
  const { error = {} } = await response.json();
  const { code, param, message } = error;
  return { status: response.status, code, param, message, engine, chats };
}
