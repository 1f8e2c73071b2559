import type { FinishReason } from "../../generation/events.ts";
import { sseEvent } from "../../http/sse/sse.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { meteredStream } from "../text/metered-stream.ts";
import type { StartedReply } from "../text/run-text-generation.ts";
import type { ResponseEvent } from "./events.ts";
import type { OutputWriter } from "./output.ts";
import type { Progress, ResponseObject } from "./serialize.ts";

interface ResponseStream extends StartedReply {
  writer: OutputWriter;
  /** The response object for a progress. */
  shape: (progress: Progress) => ResponseObject;
  /** The final progress, by finish reason. */
  ending: (reason: FinishReason, counts: TokenCounts) => Progress;
  /** Called once when the stream ends. The client has the ids sent so far, and may refer to them. */
  remember: () => void;
}

/**
 * Events of a streamed response: created, in progress, those of each item, and completed or incomplete. A mid-stream
 * failure is `response.failed` with the output so far. As at OpenAI, no `[DONE]` follows.
 */
export function responseStream(stream: ResponseStream): AsyncGenerator<Uint8Array, void> {
  const { writer, shape, ending, remember, ...reply } = stream;
  let number = 0;
  const encode = ({ type, ...rest }: ResponseEvent): Uint8Array =>
    sseEvent({ type, sequence_number: number++, ...rest }, type);
  const encodeResponse = (progress: Progress): Uint8Array =>
    encode({ type: `response.${progress.status}`, response: shape(progress) });
  let reason: FinishReason = "stop";
  return meteredStream({
    ...reply,
    *render(event) {
      if (number === 0) {
        yield encode({ type: "response.created", response: shape({ status: "in_progress" }) });
        yield encodeResponse({ status: "in_progress" });
      }
      if (event.type === "finish") reason = event.reason;
      const written =
        event.type === "finish" ? writer.finish(reason) : writer.write(event.events, event.logprobs);
      for (const one of written) yield encode(one);
    },
    last: (counts) => encodeResponse(ending(reason, counts)),
    failed: (error, counts) => encodeResponse({ status: "failed", output: writer.items, counts, error }),
    onEnd: remember,
  });
}
