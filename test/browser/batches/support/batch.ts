import type OpenAI from "openai";
import { toFile } from "openai";
import chatConfig from "../../../../models/tiny-chat/mlc-chat-config.json" with { type: "json" };

function line(customId: string, url: string, body: object): string {
  return JSON.stringify({ custom_id: customId, method: "POST", url, body });
}

export function embeddingLines(count: number, model = "infetch-tiny-embed"): string[] {
  return Array.from({ length: count }, (_, at) =>
    line(`text ${at}`, "/v1/embeddings", {
      model,
      input: `Text number ${at} of a batch.`,
      encoding_format: "float",
    }),
  );
}

export function chatLines(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    line(`chat ${at}`, "/v1/chat/completions", {
      model: "infetch-tiny",
      messages: [{ role: "user", content: `What is ${at} plus ${at + 1}?` }],
      max_tokens: 12,
    }),
  );
}

/** Keeps the built-in model from ending its reply. */
export const endless = Object.fromEntries(
  chatConfig.conv_template.stop_token_ids.map((id): [string, number] => [String(id), -100]),
);

/** Lines with these bodies. */
export function linesOf(bodies: readonly object[]): string[] {
  return bodies.map((body, at) => line(`line ${at}`, "/v1/chat/completions", body));
}

/** Lines that run for 200 tokens: a bias suppresses the stop tokens. */
export function longLines(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    line(`long ${at}`, "/v1/chat/completions", {
      model: "infetch-tiny",
      messages: [{ role: "user", content: "Count to one hundred." }],
      max_tokens: 200,
      logit_bias: endless,
    }),
  );
}

export async function submit(
  openai: OpenAI,
  lines: string[],
  endpoint: OpenAI.BatchCreateParams["endpoint"],
): Promise<OpenAI.Batch> {
  const file = await toFile(new TextEncoder().encode(`${lines.join("\n")}\n`), "input.jsonl");
  const { id } = await openai.files.create({ file, purpose: "batch" });
  return openai.batches.create({ input_file_id: id, endpoint, completion_window: "24h" });
}

/** Polls until the batch has ended; only the test's own timeout limits the wait. */
export async function finished(openai: OpenAI, id: string): Promise<OpenAI.Batch> {
  while (true) {
    const batch = await openai.batches.retrieve(id);
    if (["completed", "failed", "expired", "cancelled"].includes(batch.status)) return batch;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of a line
export async function resultsOf(openai: OpenAI, fileId: string | null | undefined): Promise<any[]> {
  if (!fileId) return [];
  const text = await (await openai.files.content(fileId)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
