/** Key scopes, as an unmodified OpenAI SDK sees them. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";

async function failureOf(call: () => PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await call();
  } catch (error) {
    return error as InstanceType<typeof OpenAI.APIError>;
  }
  throw new Error("The call was answered.");
}

test("a made key works as the page's own does, and every answer of the wrong one is a 401", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create();
  expect(apiKey).toMatch(/^infetch-[A-Za-z0-9]{16}-[A-Za-z0-9]{32}$/);
  const answer = await tab.openai(apiKey).chat.completions.create(hello);
  expect(answer.choices[0]!.message.content).toBe("Hello there!");
  const [, id] = apiKey.split("-");
  for (const wrong of [`${apiKey}x`, `infetch-${id}-wrong`, "infetch-unknown-secret", "sk-other"]) {
    const error = await tab
      .openai(wrong)
      .models.list()
      .catch((one) => one);
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect([error.status, error.code, error.type]).toEqual([401, "invalid_api_key", "authentication_error"]);
  }
});

test("a model outside of the key's is a 403 wherever it is named, and one that is none is a 404", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ models: ["infetch-tiny"] });
  const client = tab.openai(apiKey);
  const refused = [
    () => client.chat.completions.create({ ...hello, model: "plain" }),
    () => client.chat.completions.create({ ...hello, model: "plain", stream: true }),
    () => client.completions.create({ model: "plain", prompt: "Hi" }),
    () => client.responses.create({ model: "plain", input: "Hi" }),
    () => client.embeddings.create({ model: "plain", input: "Hi" }),
    () => client.models.retrieve("plain"),
  ];
  for (const call of refused) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect([error.code, error.type, error.param]).toEqual(["model_not_allowed", "permission_error", "model"]);
  }
  await expect(client.models.retrieve("nothing")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(client.chat.completions.create({ ...hello, model: "nothing" })).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
  });
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["infetch-tiny"]);
  expect((await client.chat.completions.create(hello)).model).toBe("infetch-tiny");
});

test("a star stands for all models that begin so, and an empty list for none", async () => {
  const tab = await new Origin().openTab();
  const star = await tab.create({ models: ["infetch-*"] });
  expect((await tab.openai(star.apiKey).models.list()).data.map(({ id }) => id)).toEqual(["infetch-tiny"]);
  const none = await tab.create({ models: [] });
  expect((await tab.openai(none.apiKey).models.list()).data).toEqual([]);
});

test("an endpoint outside of the key's is a 403, listing models too, before the body is looked at", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ endpoints: [CHAT] });
  const client = tab.openai(apiKey);
  await client.chat.completions.create(hello);
  for (const call of [
    () => client.models.list(),
    () => client.models.retrieve("infetch-tiny"),
    () => client.completions.create({ model: "infetch-tiny", prompt: "Hi" }),
    () => client.embeddings.create({} as never),
    () => client.get("/billing/invoices/current"),
  ]) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect([error.code, error.type]).toEqual(["endpoint_not_allowed", "permission_error"]);
  }
});

test("a path means itself and everything below it, and nothing that only begins so", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ endpoints: ["/v1/models", "/v1/billing"] });
  const statusOf = async (path: string) => (await tab.send(apiKey, path)).status;
  expect(await statusOf("/v1/models")).toBe(200);
  expect(await statusOf("/v1/models/infetch-tiny")).toBe(200);
  expect(await statusOf("/v1/billing/invoices")).toBe(200);
  expect((await tab.send(apiKey, CHAT, hello)).status).toBe(403);
});

test("the order of answers: path, method, key, scope, limit, body, model", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({
    models: ["infetch-tiny"],
    endpoints: [CHAT],
    limits: { requestsPerMinute: 3 },
  });
  const codeOf = async (response: Promise<Response>) => {
    const { status } = await response;
    return [status, (await (await response).json()).error?.code];
  };
  expect(await codeOf(tab.send("none", "/v1/nothing", {}))).toEqual([404, "unknown_url"]);
  expect(await codeOf(tab.send("none", CHAT))).toEqual([405, "method_not_allowed"]);
  expect(await codeOf(tab.send("none", "/v1/embeddings", {}))).toEqual([401, "invalid_api_key"]);
  expect(await codeOf(tab.send(apiKey, "/v1/embeddings", {}))).toEqual([403, "endpoint_not_allowed"]);
  expect(await codeOf(tab.send(apiKey, CHAT, { model: "plain" }))).toEqual([
    400,
    "missing_required_parameter",
  ]);
  expect(await codeOf(tab.send(apiKey, CHAT, { ...hello, model: "plain" }))).toEqual([
    403,
    "model_not_allowed",
  ]);
  expect(await codeOf(tab.send(apiKey, CHAT, { ...hello, model: "nothing" }))).toEqual([
    404,
    "model_not_found",
  ]);
  expect(await codeOf(tab.send(apiKey, CHAT, { model: "plain" }))).toEqual([429, "rate_limit_exceeded"]);
});

test("a key ends at its time", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey, key } = await tab.create({ expiresAt: "2026-03-10T13:00:00Z" });
  expect(key.expiresAt).toBe("2026-03-10T13:00:00Z");
  origin.clock.set("2026-03-10T12:59:59.999Z");
  await tab.openai(apiKey).models.list();
  origin.clock.set("2026-03-10T13:00:00Z");
  const error = await tab
    .openai(apiKey)
    .models.list()
    .catch((one) => one);
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect([error.code, error.type]).toEqual(["expired_api_key", "authentication_error"]);
  const wrong = await tab
    .openai(`${apiKey}x`)
    .models.list()
    .catch((one) => one);
  expect(wrong.code).toBe("invalid_api_key");
});

test("a key whose end is far away is a key", async () => {
  const tab = await new Origin().openTab();
  for (const expiresAt of ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999-12:00"]) {
    const { apiKey, key } = await tab.create({ expiresAt });
    expect((await tab.send(apiKey, "/v1/models")).status).toBe(200);
    expect(unwrap(await tab.keys.list()).map(({ id }) => id)).toContain(key.id);
    expect(key.expiresAt).toMatch(/^9999-12-31T23:59:59(\.999)?Z$/);
  }
});
