import type OpenAI from "openai";
import { toFile } from "openai";
import type { Tab } from "./batch-world.ts";

export const CHAT = "/v1/chat/completions";
export const EMBEDDINGS = "/v1/embeddings";

/** One line of an input file. */
export function chatLine(customId: string, over: object = {}, body: object = {}): string {
  return JSON.stringify({
    custom_id: customId,
    method: "POST",
    url: CHAT,
    body: { model: "infetch-tiny", messages: [{ role: "user", content: `Say ${customId}` }], ...body },
    ...over,
  });
}

export function embeddingLine(customId: string, body: object = {}): string {
  return JSON.stringify({
    custom_id: customId,
    method: "POST",
    url: EMBEDDINGS,
    body: { model: "fake-embed", input: `text ${customId}`, ...body },
  });
}

export function upload(tab: Tab, lines: string | string[]) {
  const text = typeof lines === "string" ? lines : `${lines.join("\n")}\n`;
  return toFile(new TextEncoder().encode(text), "input.jsonl").then((file) =>
    tab.openai.files.create({ file, purpose: "batch" }),
  );
}

/** Uploads lines and creates a batch from them. */
export async function submit(
  tab: Tab,
  lines: string | string[],
  endpoint: typeof CHAT | typeof EMBEDDINGS = CHAT,
) {
  const { id } = await upload(tab, lines);
  return tab.openai.batches.create({ input_file_id: id, endpoint, completion_window: "24h" });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into every corner of a line
type ResultLine = any;

/** The lines of an output or error file; empty without a file. */
export function resultsOf(tab: Tab, fileId: string | null | undefined): Promise<ResultLine[]> {
  return resultsOfFile(tab.openai, fileId);
}

export async function resultsOfFile(
  openai: OpenAI,
  fileId: string | null | undefined,
): Promise<ResultLine[]> {
  if (!fileId) return [];
  const text = await (await openai.files.content(fileId)).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Transaction ids of the recorded events, sorted by line number. */
export async function recordedBy(tab: Tab): Promise<string[]> {
  const usage = await tab.ledger.rpc.usage();
  const ids = usage.ok ? usage.value.map((event) => event.transactionId) : [];
  return ids.toSorted((a, b) => Number(a.split(":")[1]) - Number(b.split(":")[1]));
}
