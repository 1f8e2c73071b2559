import { chunkStream } from "../text/chunk-stream.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import type { StartedReply } from "../text/run-text-generation.ts";
import { type CompletionChoice, completionChunk, completionUsageChunk } from "./serialize.ts";
import { TokenOffsets } from "./token-offsets.ts";

interface CompletionStream extends StartedReply {
  identity: ResponseIdentity;
  includeUsage: boolean;
  wantsLogprobs: boolean;
  /** Whether a choice begins with its prompt. */
  echoes: boolean;
  /** The prompt of a choice, for `echo` and `logprobs`. */
  promptText: (choice: number) => string;
}

/** Chunks of text, the finish reason of each choice, and usage if requested. */
export function completionStream(stream: CompletionStream): AsyncGenerator<Uint8Array, void> {
  const { identity, includeUsage, wantsLogprobs, echoes, promptText, ...source } = stream;
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
        if (echoes && text !== "") yield chunk({ ...common, text });
      }
      if (event.type === "finish") return yield chunk({ ...common, text: "", finishReason: event.reason });
      const text = event.events.map((one) => (one.type === "text" ? one.text : "")).join("");
      const logprobs = wantsLogprobs ? event.logprobs : undefined;
      yield chunk({ ...common, text, logprobs, offsets: offsets[index].next(event.logprobs) });
    },
    end: (counts) => (includeUsage ? [completionUsageChunk(identity, counts)] : []),
  });
}
