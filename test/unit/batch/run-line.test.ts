/** Which responses are a line's result, and for which the batch waits. */

import { expect, test } from "vitest";
import { runLine } from "../../../worker/batch/lines/run-line.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";

const batch = { id: "batch_1", endpoint: "/v1/chat/completions", holder: {} } as Parameters<
  typeof runLine
>[0];
const line = { number: 1, customId: "a", body: {} } as Parameters<typeof runLine>[1];

function answered(status: number, code: string, isOnline: boolean) {
  const dispatch = async () => ({
    status,
    requestId: "req_1",
    body: { error: { code, message: "It did not." } },
  });
  const services = { dispatch, clock: new FakeClock("2026-03-10T12:00:00Z"), isOnline: () => isOnline };
  return runLine(batch, line, services, new AbortController().signal);
}

test.each([
  [502, "model_download_failed", false],
  [502, "upstream_unreachable", false],
  [503, "part_unavailable", true],
  [503, "assets_not_found", true],
  [503, "keys_unavailable", true],
  [503, "storage_unavailable", true],
])("the batch waits after a %i %s (online: %s)", async (status, code, isOnline) => {
  await expect(answered(status, code, isOnline)).rejects.toMatchObject({ status, code });
});

test.each([
  [502, "model_download_failed", true],
  [502, "upstream_unreachable", true],
  [502, "upstream_error", false],
  [502, "upstream_authentication_failed", false],
  [503, "out_of_memory", false],
  [429, "insufficient_quota", false],
])("a %i %s is the line's result (online: %s)", async (status, code, isOnline) => {
  const { kind, text } = (await answered(status, code, isOnline))!;
  expect([kind, JSON.parse(text).response.body.error.code]).toEqual(["error", code]);
});
