/** Sampling of requests that leave parameters out: OpenAI's defaults, or the publisher's recommendation. */

import { expect, test } from "vitest";
import { plain, testApp } from "../../support/test-app.ts";

const recommendedSampling = { temperature: 0.6, topP: 0.95, topK: 20, repetitionPenalty: 1.1 };
const chat = { model: plain.id, messages: [{ role: "user", content: "Hi" }] };
const API = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
};

async function appWith(samplingDefaults?: "api" | "model", ofModel?: "api" | "model") {
  const deployment = { ...plain, id: "deployed", ...(ofModel ? { samplingDefaults: ofModel } : {}) };
  const app = await testApp({ recommendedSampling }, { sources: { deployments: () => [deployment] } });
  if (samplingDefaults) app.services.samplingDefaults = samplingDefaults;
  const ask = async (path: string, body: object) => {
    const response = await app.post(path, body);
    expect(response.status).toBe(200);
    return { answer: await response.json(), sampling: app.engine.requests.at(-1)!.sampling };
  };
  return { ...app, ask };
}

test("OpenAI's defaults apply unless the option says otherwise", async () => {
  const { ask } = await appWith();
  expect((await ask("/v1/chat/completions", chat)).sampling).toMatchObject(API);
  const { sampling } = await ask("/v1/completions", { model: plain.id, prompt: "Hi", top_k: -1 });
  expect(sampling).toMatchObject(API);
});

test("the publisher's values apply to what a request leaves out, and to nothing else", async () => {
  const { ask } = await appWith("model");
  const bare = await ask("/v1/chat/completions", chat);
  expect(bare.sampling).toMatchObject({ ...API, ...recommendedSampling });
  const some = await ask("/v1/chat/completions", { ...chat, temperature: 1, top_k: 0, min_p: null });
  expect(some.sampling).toMatchObject({ ...API, ...recommendedSampling, temperature: 1, topK: 0 });
  const text = await ask("/v1/completions", { model: plain.id, prompt: "Hi", top_p: 1 });
  expect(text.sampling).toMatchObject({ ...API, ...recommendedSampling, topP: 1 });
});

test("a deployment decides for itself", async () => {
  const request = { ...chat, model: "deployed" };
  const asModel = await appWith("api", "model");
  expect((await asModel.ask("/v1/chat/completions", request)).sampling.temperature).toBe(0.6);
  const asApi = await appWith("model", "api");
  expect((await asApi.ask("/v1/chat/completions", request)).sampling.temperature).toBe(1);
});

test("a response reports the values that applied", async () => {
  const { ask } = await appWith("model");
  const { answer } = await ask("/v1/responses", { model: plain.id, input: "Hi", top_p: 0.5 });
  expect(answer).toMatchObject({ temperature: 0.6, top_p: 0.5, frequency_penalty: 0, presence_penalty: 0 });
});

test("a loaded model shows what its publisher recommends", async () => {
  const { ask, get } = await appWith();
  const shown = async () => (await (await get(`/v1/models/${plain.id}`)).json()).infetch.recommended_sampling;
  expect(await shown()).toBeNull();
  await ask("/v1/chat/completions", chat);
  expect(await shown()).toEqual({ temperature: 0.6, top_p: 0.95, top_k: 20, repetition_penalty: 1.1 });
});
