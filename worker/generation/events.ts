/** What a reply consists of, whatever endpoint asked for it. */

import type { TokenCounts } from "../metering/meter.ts";

export type FinishReason = "stop" | "length" | "tool_calls" | "abort";

/** `counts` are exact at that moment: what has been sampled and delivered so far. */
export type GenerationEvent =
  | { type: "text-delta"; text: string; counts: TokenCounts }
  | { type: "finish"; reason: FinishReason; counts: TokenCounts };
