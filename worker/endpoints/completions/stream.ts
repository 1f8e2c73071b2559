import { chunkStream } from "../text/chunk-stream.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import type { StartedReply } from "../text/run-text-generation.ts";
import { type CompletionChoice, completionChunk, completionUsageChunk, textLengths } from "./serialize.ts";

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
  /** Where the next token of a choice begins. Text may be sent before the end of its token, whose entry comes later. */
  const offsets: number[] = [];
  const chunk = (choice: CompletionChoice) => completionChunk(identity, choice, includeUsage);
  return chunkStream({
    ...source,
    *render(event) {
      const index = event.choice;
      const common = { index, finishReason: null, logprobs: undefined, offset: 0 };
      if (offsets[index] === undefined) {
        const text = promptText(index);
        offsets[index] = text.length;
        if (echoes && text !== "") yield chunk({ ...common, text });
      }
      if (event.type === "finish") return yield chunk({ ...common, text: "", finishReason: event.reason });
      const text = event.events.map((one) => (one.type === "text" ? one.text : "")).join("");
      const logprobs = wantsLogprobs ? event.logprobs : undefined;
      yield chunk({ ...common, text, logprobs, offset: offsets[index] });
      for (const length of textLengths(event.logprobs)) offsets[index] += length;
    },
    end: (counts) => (includeUsage ? [completionUsageChunk(identity, counts)] : []),
  });
}
