import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

const messages = [{ role: "user", content: "Hi" }];

test("every answer that a model made says which engine and device made it", async () => {
  const { post } = await testApp();
  const requests: [string, object][] = [
    ["/v1/chat/completions", { messages }],
    ["/v1/chat/completions", { messages, stream: true }],
    ["/v1/completions", { prompt: "Hi" }],
    ["/v1/completions", { prompt: "Hi", stream: true }],
  ];
  for (const [path, body] of requests) {
    const response = await post(path, { model: "infetch-tiny", ...body });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-infetch-engine")).toBe("webllm; device=fake");
    await response.text();
  }
});

test("a loaded model tells the context that it has, not the one that was expected", async () => {
  const { get, post, engine } = await testApp();
  Object.assign(engine.info, { contextWindow: 2048, maxContextWindow: 40_960 });
  const entry = async (): Promise<object> => (await (await get("/v1/models/infetch-tiny")).json()).infetch;
  expect(await entry()).toMatchObject({ context_window: 4096, max_context_window: 4096 });
  await (await post("/v1/chat/completions", { model: "infetch-tiny", messages })).text();
  expect(await entry()).toMatchObject({ context_window: 2048, max_context_window: 40_960 });
});

test("a model tells its engine always, and its device once it is loaded", async () => {
  const { get, post } = await testApp();
  const entry = async (): Promise<object> => (await (await get("/v1/models/infetch-tiny")).json()).infetch;
  expect(await entry()).toMatchObject({ engine: "webllm", context_window: 4096, device: null });
  await (await post("/v1/chat/completions", { model: "infetch-tiny", messages })).text();
  expect(await entry()).toMatchObject({ engine: "webllm", context_window: 4096, device: "fake" });
});
