import type { PromptScores } from "../../generation/choices/prompt-scores.ts";
import { chunkStream } from "../text/chunk-stream.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import type { StartedReply } from "../text/run-text-generation.ts";
import { echoedLogprobs, promptOffsets } from "./prompt-scores.ts";
import { type CompletionChoice, completionChunk, completionUsageChunk } from "./serialize.ts";
import { TokenOffsets } from "./token-offsets.ts";

interface CompletionStream extends StartedReply {
  identity: ResponseIdentity;
  includeUsage: boolean;
  /** Alternatives to each token; undefined for no log probabilities. */
  logprobs: number | undefined;
  /** Whether a choice begins with its prompt. */
  echoes: boolean;
  /** The prompt of a choice, for `echo` and `logprobs`. */
  promptText: (choice: number) => string;
  /** Of a choice's prompt, for `echo` with `logprobs`. */
  promptScores: Pick<PromptScores, "of"> | undefined;
}

/** Chunks of text, the finish reason of each choice, and usage if requested. */
export function completionStream(stream: CompletionStream): AsyncGenerator<Uint8Array, void> {
  const { identity, includeUsage, logprobs: count, echoes, promptText, promptScores, ...source } = stream;
  /** Of each choice. Text may be sent before the end of its token, whose entry comes later. */
  const offsets: TokenOffsets[] = [];
  const chunk = (choice: CompletionChoice) => completionChunk(identity, choice, includeUsage);
  return chunkStream({
    ...source,
    *render(event) {
      const index = event.choice;
      const common = { index, finishReason: null, logprobs: undefined, offsets: [] };
      if (!offsets[index]) {
        const text = promptText(index);
        offsets[index] = new TokenOffsets(text.length);
        const tokens = count === undefined ? [] : (promptScores?.of(index) ?? []);
        const scores = count === undefined || tokens.length === 0 ? undefined : echoedLogprobs(tokens, count);
        if (echoes && (text !== "" || scores))
          yield chunk({ ...common, text, logprobs: scores, offsets: promptOffsets(tokens, text) });
      }
      if (event.type === "finish") return yield chunk({ ...common, text: "", finishReason: event.reason });
      const text = event.events.map((one) => (one.type === "text" ? one.text : "")).join("");
      const logprobs = count === undefined ? undefined : event.logprobs;
      yield chunk({ ...common, text, logprobs, offsets: offsets[index].next(event.logprobs) });
    },
    end: (counts) => (includeUsage ? [completionUsageChunk(identity, counts)] : []),
  });
}
