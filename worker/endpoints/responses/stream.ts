import type { FinishReason } from "../../generation/events.ts";
import { toApiError } from "../../http/error-response.ts";
import { sseEvent } from "../../http/sse.ts";
import { NO_TOKENS } from "../../usage/metering/meter.ts";
import type { StartedReply } from "../run-text-generation.ts";
import type { ResponseEvent } from "./events.ts";
import type { OutputWriter } from "./output.ts";
import type { Progress, ResponseObject } from "./serialize.ts";

interface ResponseStream extends StartedReply {
  writer: OutputWriter;
  /** The response object for a progress. */
  shape: (progress: Progress) => ResponseObject;
  /** The final progress, by finish reason. */
  ending: (reason: FinishReason, counts: typeof NO_TOKENS) => Progress;
  /** Called once when the stream ends. The client has the ids sent so far, and may refer to them. */
  remember: () => void;
}

/**
 * Events of a streamed response: created, in progress, those of each item, and completed or incomplete. A mid-stream
 * failure is `response.failed` with the output so far. As at OpenAI, no `[DONE]` follows.
 */
export async function* responseStream(stream: ResponseStream): AsyncGenerator<Uint8Array, void> {
  const { events, writer, delivery, shape } = stream;
  let number = 0;
  const send = ({ type, ...rest }: ResponseEvent): Uint8Array =>
    delivery.sent(sseEvent({ type, sequence_number: number++, ...rest }, type));
  const sendResponse = (progress: Progress): Uint8Array =>
    send({ type: `response.${progress.status}`, response: shape(progress) });
  let posted = NO_TOKENS;
  let reason: FinishReason = "stop";
  try {
    yield send({ type: "response.created", response: shape({ status: "in_progress" }) });
    yield sendResponse({ status: "in_progress" });
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === "abort") return;
      if (event.type === "finish") reason = event.reason;
      const written =
        event.type === "finish" ? writer.finish(reason) : writer.write(event.events, event.logprobs);
      for (const one of written) yield send(one);
      posted = event.counts;
      delivery.after(posted);
    }
    await delivery.end("completed");
    yield sendResponse(stream.ending(reason, posted));
  } catch (error) {
    await delivery.end("failed");
    yield sendResponse({ status: "failed", output: writer.items, counts: posted, error: toApiError(error) });
  } finally {
    stream.remember();
    try {
      await delivery.leave();
    } finally {
      // If the client disconnects, the generation is still suspended and holds its turn in the queue.
      await events.return();
    }
  }
}
