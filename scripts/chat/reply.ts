/** Streams one reply and prints its statistics. */

import OpenAI from "openai";

export type Message = OpenAI.ChatCompletionMessageParam;

/** OpenAI's API has no reasoning text; this field is that of vLLM and others. */
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string | null };

/**
 * Streams a reply through `write`, then one line with usage and speed. Returns the reply's text.
 *
 * @throws {Error} with the runtime's message and a remedy
 */
export async function streamReply(
  openai: OpenAI,
  model: string,
  messages: Message[],
  write: (text: string) => void,
): Promise<string> {
  const startedAtMs = performance.now();
  let firstTokenAtMs = 0;
  let text = "";
  let usage: OpenAI.CompletionUsage | undefined;
  try {
    const stream = await openai.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      usage = chunk.usage ?? usage;
      const { content, reasoning_content: reasoning }: Delta = chunk.choices[0]?.delta ?? {};
      // A thought is not printed, but its tokens are in the usage.
      if (content || reasoning) firstTokenAtMs ||= performance.now();
      const piece = content ?? "";
      if (piece === "") continue;
      text += piece;
      write(printable(piece));
    }
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
  firstTokenAtMs ||= performance.now();
  write(`\n${summary(model, usage, firstTokenAtMs - startedAtMs, firstTokenAtMs)}\n`);
  return text;
}

/** Removes control characters, so that a reply cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "�");
}

function summary(
  model: string,
  usage: OpenAI.CompletionUsage | undefined,
  firstTokenAfterMs: number,
  firstTokenAtMs: number,
): string {
  const prompt = usage?.prompt_tokens ?? 0;
  const completion = usage?.completion_tokens ?? 0;
  const decodeSeconds = (performance.now() - firstTokenAtMs) / 1000;
  const perSecond = completion > 1 && decodeSeconds > 0.001 ? (completion - 1) / decodeSeconds : 0;
  const first = (firstTokenAfterMs / 1000).toFixed(2);
  return `[${model}: ${prompt} prompt + ${completion} completion = ${prompt + completion} tokens, ${perSecond.toFixed(1)} tokens/s, first token after ${first} s]`;
}

function explain(error: unknown): string {
  if (!(error instanceof OpenAI.APIError)) return String((error as Error).message);
  const reason = error.message.replace(/^\d+ /, "");
  if (error.code === "model_not_found") return `${reason} Leave --model out to use infetch-tiny.`;
  if (error.code === "engine_unavailable") {
    return `${reason} This browser has no WebGPU: install a current Chrome or Chromium, or set CHROMIUM_PATH.`;
  }
  if (error.code === "context_length_exceeded") return `${reason} Start a new conversation.`;
  return reason;
}
