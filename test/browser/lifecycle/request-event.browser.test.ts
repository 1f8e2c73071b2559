import { createRuntime, type RequestEvent } from "infetch";
import { expect, test } from "vitest";

test("a request's event comes when its last byte was sent, not before", async () => {
  const runtime = await createRuntime();
  const events: RequestEvent[] = [];
  runtime.on("request", (event) => events.push(event));
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const response = await runtime.fetch("/v1/chat/completions", {
    method: "POST",
    headers,
    body: JSON.stringify({
      model: "infetch-tiny",
      messages: [{ role: "user", content: "Hello!" }],
      n: 100,
      max_tokens: 100,
      stream: true,
    }),
  });
  const reader = response.body!.getReader();
  await reader.read();
  const other = await runtime.fetch("/v1/models", { headers });
  await other.text();
  await expect.poll(() => events.map(({ path }) => path)).toEqual(["/v1/models"]);
  await reader.cancel();
  await expect.poll(() => events.length).toBe(2);
  expect(events[1]).toEqual({
    type: "request",
    requestId: response.headers.get("x-request-id"),
    method: "POST",
    path: "/v1/chat/completions",
    status: 200,
    durationMs: expect.any(Number),
  });
  runtime.close();
});
