/** A conversation with the model in the page, through the unmodified SDK. Knows nothing of the document. */

import type OpenAI from "openai";

export const CHAT_MODEL = "infetch-tiny";
/** Enough for a reply of this small model, and an end for one that finds none. */
const MAX_TOKENS = 400;

/** What one reply took. */
export interface ReplyStats {
  promptTokens: number;
  completionTokens: number;
  tokensPerSecond: number;
  firstTokenAfterMs: number;
  stopped: boolean;
}

export class Chat {
  readonly #openai: OpenAI;
  readonly #messages: OpenAI.ChatCompletionMessageParam[] = [];

  constructor(openai: OpenAI) {
    this.#openai = openai;
  }

  /**
   * Says `text` and streams the reply through `onText`. A stop keeps what was said so far.
   *
   * @throws the SDK's error; the conversation is then as it was before
   */
  async say(text: string, onText: (piece: string) => void, signal: AbortSignal): Promise<ReplyStats> {
    const messages = [...this.#messages, { role: "user" as const, content: text }];
    const startedAtMs = performance.now();
    let firstTokenAtMs = 0;
    let lastTokenAtMs = 0;
    let pieces = 0;
    let reply = "";
    let usage: OpenAI.CompletionUsage | undefined;
    try {
      const stream = await this.#openai.chat.completions.create(
        {
          model: CHAT_MODEL,
          messages,
          max_tokens: MAX_TOKENS,
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal },
      );
      for await (const chunk of stream) {
        usage = chunk.usage ?? usage;
        const piece = chunk.choices[0]?.delta.content ?? "";
        if (piece === "") continue;
        lastTokenAtMs = performance.now();
        firstTokenAtMs ||= lastTokenAtMs;
        pieces += 1;
        reply += piece;
        onText(piece);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.#messages.push({ role: "user", content: text }, { role: "assistant", content: reply });
    // A stopped stream brings no usage: then the pieces that came are counted, nearly always one token each.
    const completionTokens = usage?.completion_tokens ?? pieces;
    const decodeSeconds = (lastTokenAtMs - firstTokenAtMs) / 1000;
    return {
      promptTokens: usage?.prompt_tokens ?? 0,
      completionTokens,
      tokensPerSecond: decodeSeconds > 0 ? (completionTokens - 1) / decodeSeconds : 0,
      firstTokenAfterMs: (firstTokenAtMs || performance.now()) - startedAtMs,
      stopped: signal.aborted,
    };
  }
}
