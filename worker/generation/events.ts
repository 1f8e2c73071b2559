/** Events of a generation, independent of the endpoint. */

import type { TokenLogprob } from "../engine-api/chat-engine.ts";
import type { ReplyEvent } from "../reply/reply-events.ts";
import type { TokenCounts } from "../usage/metering/meter.ts";

export type FinishReason = "stop" | "length" | "tool_calls";

/**
 * `choice` is the index of the reply. `counts` are exact totals of the whole generation: the tokens sampled for
 * everything delivered so far.
 */
export type GenerationEvent =
  | { type: "reply"; choice: number; events: ReplyEvent[]; logprobs: TokenLogprob[]; counts: TokenCounts }
  | { type: "finish"; choice: number; reason: FinishReason; counts: TokenCounts }
  | { type: "abort"; choice: number; counts: TokenCounts };
