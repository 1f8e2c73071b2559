import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { DeploymentRequest } from "../../../src/protocol/rpc/deployments.ts";
import type { Result } from "../../../src/protocol/rpc/result.ts";
import { createApp } from "../../../worker/server/app.ts";
import type { KeyRing } from "../../../worker/usage/keys/key-ring.ts";
import { deploymentApp, HUB_CHAT } from "../../support/deployment-app.ts";

const messages = [{ role: "user" as const, content: "Hi" }];

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

test("a deployment answers on every endpoint under its name, and is metered as one", async () => {
  const { app, apiKey, page, ledger } = await deploymentApp();
  unwrap(await page.create({ name: "support", model: "infetch-tiny" }));
  unwrap(await page.create({ name: "search", model: "infetch-tiny-embed" }));
  const openai = new OpenAI({
    apiKey,
    baseURL: "https://app.test/v1",
    fetch: (url, init) => app.fetch(new Request(url, init)),
  });
  const completion = await openai.chat.completions.create({ model: "support", messages });
  expect(completion.model).toBe("support");
  const stream = await openai.chat.completions.create({ model: "support", messages, stream: true });
  for await (const chunk of stream) expect(chunk.model).toBe("support");
  expect((await openai.completions.create({ model: "support", prompt: "Hi" })).model).toBe("support");
  const response = await openai.responses.create({ model: "support", input: "Hi", store: false });
  expect(response.model).toBe("support");
  expect((await openai.embeddings.create({ model: "search", input: "Hi" })).model).toBe("search");
  const billed = ledger.events().map(({ tier, model, deploymentName, gpuType }) => ({
    tier,
    model,
    deploymentName,
    gpuType: gpuType?.(),
  }));
  const support = { tier: "dedicated", model: "infetch-tiny", deploymentName: "support", gpuType: "fake" };
  const search = {
    tier: "dedicated",
    model: "infetch-tiny-embed",
    deploymentName: "search",
    gpuType: "wasm",
  };
  expect(billed).toEqual([support, support, support, support, search]);
});

test("the list of models has deployments behind the catalogue, with what they are made of", async () => {
  const { get, page } = await deploymentApp();
  unwrap(await page.create({ name: "support", model: "infetch-tiny", contextWindow: 1024 }));
  const { data } = await (await get("/v1/models")).json();
  expect(data.map((model: { id: string }) => model.id)).toEqual([
    "infetch-tiny",
    "plain",
    "infetch-tiny-embed",
    "support",
  ]);
  expect(data[3]).toMatchObject({
    object: "model",
    owned_by: "infetch",
    created: expect.any(Number),
    infetch: { tier: "dedicated", deployment_of: "infetch-tiny", context_window: 1024, engine: "webllm" },
  });
});

test.each([
  [{ contextwindow: 100 }, "'contextwindow' (did you mean 'contextWindow'?) is not an option."],
  [{ zebra: 1, keeploaded: true }, "'zebra', 'keeploaded' (did you mean 'keepLoaded'?) are not options."],
])("unknown options %j are refused by name", async (over, message) => {
  const { page } = await deploymentApp();
  const refused = await page.create({ name: "support", model: "infetch-tiny", ...over });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: "invalid_value", message: expect.stringContaining(message) },
  });
  expect(unwrap(await page.list())).toEqual([]);
});

describe("a model of the hub", () => {
  test("without a deployment is a 404 that says how to use it", async () => {
    const { post } = await deploymentApp();
    const answer = await post("/v1/chat/completions", { model: HUB_CHAT, messages });
    expect(answer.status).toBe(404);
    const { error } = await answer.json();
    expect(error).toMatchObject({ code: "model_not_found", param: "model" });
    expect(error.message).toContain("runtime.deployments.create(");
    expect(error.message).toContain("batch");
  });

  test.each(["org/model:free", "org/a b", "org/model@a..b"])(
    "that no hub can have, %s, is not found",
    async (name) => {
      const { get } = await deploymentApp();
      const answer = await get(`/v1/models/${encodeURIComponent(name)}`);
      expect([answer.status, (await answer.json()).error.code]).toEqual([404, "model_not_found"]);
    },
  );

  test("with one deployment is that one, named in the answer as it was asked for", async () => {
    const { page, post, ledger } = await deploymentApp();
    unwrap(await page.create({ name: "mine", model: HUB_CHAT }));
    const answer = await post("/v1/chat/completions", { model: HUB_CHAT, messages });
    expect(await answer.json()).toMatchObject({ model: HUB_CHAT });
    expect(ledger.events()).toMatchObject([{ tier: "dedicated", model: HUB_CHAT, deploymentName: "mine" }]);
  });

  test.each([HUB_CHAT, `${HUB_CHAT}@main`])(
    "with one deployment is described under the name %s",
    async (id) => {
      const { page, get } = await deploymentApp();
      unwrap(await page.create({ name: "mine", model: HUB_CHAT, contextWindow: 1024 }));
      for (const address of [id, encodeURIComponent(id)])
        expect(await (await get(`/v1/models/${address}`)).json()).toMatchObject({
          id,
          object: "model",
          infetch: { tier: "dedicated", deployment_of: HUB_CHAT, context_window: 1024 },
        });
      unwrap(await page.create({ name: "second", model: HUB_CHAT }));
      expect((await (await get(`/v1/models/${id}`)).json()).error).toMatchObject({ code: "ambiguous_model" });
    },
  );

  test("with several is a 400 that names them", async () => {
    const { page, post } = await deploymentApp();
    unwrap(await page.create({ name: "first", model: HUB_CHAT }));
    unwrap(await page.create({ name: "second", model: HUB_CHAT }));
    const answer = await post("/v1/chat/completions", { model: HUB_CHAT, messages });
    expect(answer.status).toBe(400);
    const { error } = await answer.json();
    expect(error).toMatchObject({ code: "ambiguous_model", param: "model" });
    expect(error.message).toMatch(/'first'.*'second'/);
  });

  test("that makes embeddings can be deployed, and is refused for chat", async () => {
    const { page, post } = await deploymentApp();
    unwrap(await page.create({ name: "e5", model: "Xenova/multilingual-e5-small" }));
    expect((await post("/v1/embeddings", { model: "e5", input: "Hi" })).status).toBe(200);
    expect((await post("/v1/chat/completions", { model: "e5", messages })).status).toBe(404);
  });
});

test("a line of a batch may name any model of the hub, and is metered at its tier under its own id", async () => {
  const { app, ledger, services } = await deploymentApp();
  const dispatch = (path: string, transactionId: string, body: object) =>
    app.dispatch(path, {
      request: new Request(`https://app.test${path}`, { method: "POST", body: JSON.stringify(body) }),
      holder: { accessKey: "key", account: "default" },
      transactionId,
      meter: services.meter,
    });
  const chat = await dispatch("/v1/chat/completions", "line-1", { model: HUB_CHAT, messages });
  expect(await chat.json()).toMatchObject({ model: HUB_CHAT });
  const vectors = await dispatch("/v1/embeddings", "line-2", { model: "Xenova/gte-small", input: "Hi" });
  expect(await vectors.json()).toMatchObject({ model: "Xenova/gte-small" });
  await dispatch("/v1/chat/completions", "line-3", { model: "infetch-tiny", messages });
  const wrongKind = await dispatch("/v1/chat/completions", "line-5", { model: "org/Unknown", messages });
  expect((await wrongKind.json()).error).toMatchObject({
    code: "model_not_found",
    message: expect.stringContaining("mlc-ai/…-MLC"),
  });
  expect((await dispatch("/v1/chat/completions", "line-4", { model: "nothing", messages })).status).toBe(404);
  expect(ledger.events()).toMatchObject([
    { transactionId: "line-1", tier: "batch", model: HUB_CHAT },
    { transactionId: "line-2", tier: "batch", model: "Xenova/gte-small" },
    { transactionId: "line-3", tier: "batch", model: "infetch-tiny" },
  ]);
});

test("a hub's model stands for the deployment that the key may use, and for none of the others", async () => {
  const { page, services } = await deploymentApp();
  for (const name of ["first", "second"]) unwrap(await page.create({ name, model: HUB_CHAT }));
  const ask = async (models: string[]) => {
    const verify = async () => ({ accessKey: "key", account: "default", models });
    const restricted = createApp(services, { verify } as unknown as KeyRing);
    const request = new Request("https://app.test/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer infetch-a-b" },
      body: JSON.stringify({ model: HUB_CHAT, messages }),
    });
    return (await restricted.fetch(request)).status;
  };
  expect(await ask(["second"])).toBe(200);
  expect(await ask(["infetch-tiny"])).toBe(403);
  expect(await ask(["first", "second"])).toBe(400);
});

describe("runtime.deployments", () => {
  const refused: [string, DeploymentRequest, string][] = [
    ["a name of the catalogue", { name: "plain", model: "infetch-tiny" }, "deployment_exists"],
    ["a name that is forwarded", { name: "forwarded", model: "infetch-tiny" }, "deployment_exists"],
    ["the catalogue's prefix", { name: "infetch-mine", model: "infetch-tiny" }, "invalid_value"],
    ["a slash", { name: "a/b", model: "infetch-tiny" }, "invalid_value"],
    ["no name", { name: "", model: "infetch-tiny" }, "invalid_value"],
    ["an unknown model", { name: "mine", model: "nothing" }, "model_not_found"],
    ["an MLC build without a library", { name: "mine", model: "mlc-ai/Unknown-MLC" }, "model_not_found"],
    [
      "more context than the model has",
      { name: "mine", model: "infetch-tiny", contextWindow: 8192 },
      "integer_above_max_value",
    ],
    [
      "an engine that has no build",
      { name: "mine", model: "infetch-tiny", engine: "llamacpp" },
      "unsupported_engine",
    ],
    ["a wrong type", { name: "mine", model: "infetch-tiny", keepLoaded: 1 as never }, "invalid_type"],
  ];
  test.each(refused)("refuses %s", async (_what, request, code) => {
    const { page } = await deploymentApp();
    expect(await page.create(request)).toMatchObject({ ok: false, error: { code } });
    expect(unwrap(await page.list())).toEqual([]);
  });

  test.each([undefined, null, "mine", [{ name: "mine" }]])(
    "refuses %j, which is no object",
    async (request) => {
      const { page } = await deploymentApp();
      const message = "The deployment must be an object, such as { name, model }.";
      expect(await page.create(request as never)).toMatchObject({
        ok: false,
        error: { code: "invalid_type", message },
      });
    },
  );

  test("refuses a name twice, and frees it with its deployment", async () => {
    const { page } = await deploymentApp();
    const request = { name: "mine", model: "infetch-tiny" };
    unwrap(await page.create(request));
    expect(await page.create(request)).toMatchObject({ ok: false, error: { code: "deployment_exists" } });
    unwrap(await page.delete("mine"));
    expect(await page.get("mine")).toMatchObject({ ok: false, error: { code: "deployment_not_found" } });
    expect(await page.delete("mine")).toMatchObject({ ok: false, error: { code: "deployment_not_found" } });
    unwrap(await page.create(request));
  });

  test("keeps deployments for the next start, which knows those whose model is still there", async () => {
    const { page, store, loadedAhead } = await deploymentApp();
    const mine = unwrap(await page.create({ name: "mine", model: "infetch-tiny", keepLoaded: true }));
    expect(mine).toMatchObject({
      model: "infetch-tiny",
      engine: null,
      contextWindow: null,
      keepLoaded: true,
    });
    expect(loadedAhead).toEqual(["mine"]);
    expect(mine.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/);
    const [stored] = await store.all();
    expect(stored!.created).toBe(Date.parse(mine.createdAt) / 1000);
    await store.put({ ...stored!, name: "orphan", model: "gone" });
    const next = await deploymentApp({}, store);
    expect(unwrap(await next.page.list()).map(({ name }) => name)).toEqual(["mine", "orphan"]);
    expect((await next.post("/v1/chat/completions", { model: "mine", messages })).status).toBe(200);
    expect((await next.post("/v1/chat/completions", { model: "orphan", messages })).status).toBe(404);
    expect(next.services.catalog.find("mine")?.keepLoaded).toBe(true);
  });

  test("lets a request that runs come to its end before the deployment's engine goes", async () => {
    const { page, post, services } = await deploymentApp();
    unwrap(await page.create({ name: "mine", model: "infetch-tiny" }));
    const running = await post("/v1/chat/completions", { model: "mine", messages, stream: true });
    const reader = running.body!.getReader();
    await reader.read();
    const deleted = page.delete("mine");
    const later = await post("/v1/chat/completions", { model: "mine", messages });
    expect(later.status).toBe(404);
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += new TextDecoder().decode(part.value);
    expect(text).toContain("data: [DONE]");
    unwrap(await deleted);
    expect(services.catalog.find("mine")).toBeUndefined();
  });
});
