import { type GenerationEvent, NO_TOKENS } from "../../generation/events.ts";
import { toApiError } from "../../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../../http/sse.ts";
import type { RequestMeter } from "../../metering/meter.ts";
import type { AnswerIdentity } from "../endpoint.ts";
import { type CompletionChoice, completionChunk, completionUsageChunk } from "./shape.ts";

interface CompletionStream {
  identity: AnswerIdentity;
  first: IteratorResult<GenerationEvent, void>;
  events: AsyncGenerator<GenerationEvent, void>;
  meter: RequestMeter;
  includeUsage: boolean;
  wantsLogprobs: boolean;
  /** The text to put in front of a choice, if prompts are echoed. */
  echo: (choice: number) => string;
}

/** Text as it comes, each choice's finish reason, usage if asked for, `[DONE]`. */
export async function* completionStream(stream: CompletionStream): AsyncGenerator<Uint8Array, void> {
  const { identity, events, meter, includeUsage, wantsLogprobs, echo } = stream;
  const lengths: number[] = [];
  let posted = NO_TOKENS;
  const chunk = (choice: CompletionChoice) => sseEvent(completionChunk(identity, choice, includeUsage));
  try {
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      const index = event.choice;
      const common = { index, finishReason: null, logprobs: undefined, offset: 0 };
      if (lengths[index] === undefined) {
        const text = echo(index);
        lengths[index] = text.length;
        if (text !== "") yield chunk({ ...common, text });
      }
      if (event.type === "finish" && event.reason === "abort") {
        await meter.settle("aborted", posted);
        return;
      }
      if (event.type === "finish") yield chunk({ ...common, text: "", finishReason: event.reason });
      else {
        const text = event.events.map((one) => (one.type === "text" ? one.text : "")).join("");
        const logprobs = wantsLogprobs ? event.logprobs : undefined;
        yield chunk({ ...common, text, logprobs, offset: lengths[index] });
        lengths[index] += text.length;
      }
      posted = event.counts;
      meter.checkpoint(posted);
    }
    if (includeUsage) yield sseEvent(completionUsageChunk(identity, posted));
    await meter.settle("completed", posted);
    yield SSE_DONE;
  } catch (error) {
    await meter.settle("failed", posted);
    yield sseEvent(toApiError(error).body());
  } finally {
    // Left early: what was sent is booked (after any other end this changes nothing), and the generation, which
    // still waits at its last event, gives back the queue's turn.
    await meter.settle("aborted", posted);
    await events.return();
  }
}
