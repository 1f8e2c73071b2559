/** Usage that cannot be recorded neither fails a reply nor keeps its place in the queue. */

import { expect, test, vi } from "vitest";
import type { RequestState } from "../../../src/protocol/transfer/request-state.ts";
import { Delivery } from "../../../worker/endpoints/metering/delivery.ts";
import { meterWithLimits } from "../../../worker/endpoints/metering/meter-with-limits.ts";
import { meterWithState } from "../../../worker/endpoints/metering/meter-with-state.ts";
import { OutputWriter } from "../../../worker/endpoints/responses/output.ts";
import type { ResponseObject } from "../../../worker/endpoints/responses/serialize.ts";
import { responseStream } from "../../../worker/endpoints/responses/stream.ts";
import { chunkStream } from "../../../worker/endpoints/text/chunk-stream.ts";
import type { StartedReply } from "../../../worker/endpoints/text/run-text-generation.ts";
import type { GenerationEvent } from "../../../worker/generation/events.ts";
import { Admission } from "../../../worker/usage/keys/admission-handle.ts";
import type { MeteredRequest, RequestMeter } from "../../../worker/usage/metering/meter.ts";

const counts = { inputTokens: 3, cachedTokens: 0, outputTokens: 2, reasoningTokens: 0 };
const request: MeteredRequest = {
  transactionId: "1",
  account: "default",
  endpoint: "/v1/chat/completions",
  tier: "serverless",
  model: "m",
  stream: true,
};
const broken = () => Promise.reject(new SyntaxError("Cannot convert oops to a BigInt"));
const recording: RequestMeter = {
  checkpoint() {},
  settle: async () => counts,
  reverseUsage: async () => true,
};

function brokenAdmission(): Admission {
  const charged = async () => undefined;
  return new Admission({
    rates: {},
    promptTokens: 0,
    extend: broken,
    charged,
    end: broken,
    refund: broken,
  });
}

test.each([true, false])(
  "counters of a key that cannot be written: the reply goes on (line: %s)",
  async (isLine) => {
    const state: RequestState = { id: "1", attempt: 0 };
    const limited = meterWithLimits(recording, request, brokenAdmission(), isLine);
    const meter = meterWithState(limited, request, state, () => undefined);
    await expect(meter.settle("completed", counts)).resolves.toEqual(counts);
    await expect(state.metered!.settled).resolves.toBeUndefined();
    expect(state.metered!.recorded).toEqual({ outcome: "completed", tokens: counts });
    await expect(meter.reverseUsage()).resolves.toBe(true);
  },
);

const streams: [string, (reply: StartedReply) => AsyncGenerator<Uint8Array, void>][] = [
  ["chunks", (reply) => chunkStream({ ...reply, render: () => [{ text: "x" }], end: () => [] })],
  [
    "responses",
    (reply) =>
      responseStream({
        ...reply,
        writer: new OutputWriter({
          mintId: (prefix) => `${prefix}1`,
          asSummary: false,
          includesEncryptedContent: false,
          pathOf: (name) => ({ name }),
        }),
        shape: () => ({}) as ResponseObject,
        remember: () => {},
        ending: () => ({ status: "completed", output: [], counts, completedAt: 0 }),
      }),
  ],
];

test.each(streams)(
  "a reader leaves a stream of %s: its turn ends whatever the meter does",
  async (_, stream) => {
    const release = vi.fn();
    async function* generate(): AsyncGenerator<GenerationEvent, void> {
      try {
        for (;;)
          yield { type: "reply", choice: 0, events: [{ type: "text", text: "x" }], logprobs: [], counts };
      } finally {
        release();
      }
    }
    const events = generate();
    const meter = { ...recording, settle: broken };
    const delivery = new Delivery({ id: "1", attempt: 0 }, meter, new AbortController().signal);
    const body = stream({ first: await events.next(), events, delivery });
    await body.next();
    await body.return().catch(() => {});
    expect(release).toHaveBeenCalledOnce();
  },
);
