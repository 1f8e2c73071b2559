/** Images of requests, up to what the engine is given. The decoder is the browser's and not part of it. */

import { expect, test } from "vitest";
import { showImages } from "../../../worker/engine-api/prompt-image.ts";
import { dataURL, imageFile } from "../../support/images/image-files.ts";
import { seeingApp } from "../../support/images/seeing-app.ts";

const png = dataURL(imageFile("quarters.png"));
const gif = dataURL(imageFile("animated.gif"), "image/gif");
const model = "seeing";
const image = (url: string, detail?: string) => ({
  type: "image_url",
  image_url: { url, ...(detail ? { detail } : {}) },
});
const text = (of: string) => ({ type: "text", text: of });
const user = (...content: object[]) => ({ role: "user", content });

async function sent(path: string, body: object) {
  const { post, engine } = await seeingApp();
  const response = await post(path, { model, ...body });
  const request = engine.requests[0];
  return {
    status: response.status,
    body: await response.json(),
    prompt: typeof request?.prompt === "string" ? showImages(request.prompt) : undefined,
    images: request?.images?.length,
  };
}

test("an image stands in the prompt where it stood in the message", async () => {
  const chat = await sent("/v1/chat/completions", {
    messages: [
      user(text("a"), image(png, "low"), text("b"), image(gif)),
      { role: "assistant", content: "c" },
      user(image(png), text("d")),
    ],
  });
  expect(chat).toMatchObject({ status: 200, images: 2 });
  expect(chat.prompt).toContain("user\na<image>b<image><|im_end|>");
  expect(chat.prompt).toContain("user\n<image>d<|im_end|>");
});

test("Responses: messages and outputs of functions", async () => {
  const call = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };
  const responses = await sent("/v1/responses", {
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: png },
        ],
      },
      call,
      { type: "function_call_output", call_id: "call_1", output: [{ type: "input_image", image_url: gif }] },
    ],
  });
  expect(responses).toMatchObject({ status: 200, images: 2 });
  expect(responses.prompt).toContain("a<image>");
});

test("a tool's result may be an image", async () => {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const { status, images } = await sent("/v1/chat/completions", {
    messages: [
      user(text("a")),
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: [text("b"), image(png)] },
    ],
  });
  expect([status, images]).toEqual([200, 1]);
});

test("no text becomes an image: not a mark, not the mark of an image that is there", async () => {
  const { post, engine } = await seeingApp();
  await post("/v1/chat/completions", { model, messages: [user(image(png))] });
  const [first] = engine.requests[0]!.images!;
  const mark = `\uFDD1${first!.id}\uFDD1`;
  await post("/v1/chat/completions", { model, messages: [user(text(mark), image(png), text(mark))] });
  expect(showImages(engine.requests[1]!.prompt as string).split("<image>")).toHaveLength(2);
});

test("no other text of a request becomes an image: every string and key that a template may print", async () => {
  const { post, engine } = await seeingApp({
    template: {
      source: "{# <tool_call> #}{{ messages | tojson }}{{ tools | tojson }}{{ extra }}",
      bos: "",
      eos: "",
      engineAddsBos: false,
    },
  });
  const ask = (mark: string) =>
    post("/v1/chat/completions", {
      model,
      messages: [
        { role: "system", content: mark, name: mark },
        user(image(png)),
        {
          role: "assistant",
          content: [text(mark)],
          reasoning_content: mark,
          tool_calls: [
            {
              id: `a${mark}`,
              type: "function",
              function: { name: "look", arguments: JSON.stringify({ a: mark }) },
            },
          ],
        },
        { role: "tool", tool_call_id: `a${mark}`, content: mark },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "look",
            description: mark,
            parameters: { type: "object", properties: { [mark]: { type: "string" } } },
          },
        },
      ],
      chat_template_kwargs: { extra: mark },
    });
  expect((await ask("x")).status).toBe(200);
  const { id } = engine.requests[0]!.images![0]!;
  expect((await ask(`\uFDD1${id}\uFDD1`)).status).toBe(200);
  const prompt = engine.requests[1]!.prompt as string;
  expect(prompt.split(id).length).toBeGreaterThan(5);
  expect(showImages(prompt).split("<image>")).toHaveLength(2);
});

test("equal images are given once; another image is another prompt, so that replies are not mixed up", async () => {
  const { post, engine } = await seeingApp();
  const ask = (...urls: string[]) =>
    post("/v1/chat/completions", { model, messages: [user(...urls.map((url) => image(url)))] });
  await ask(png, png);
  await ask(png, gif);
  expect(engine.requests.map(({ images }) => images?.length)).toEqual([1, 2]);
  expect(engine.requests[0]!.prompt).not.toBe(engine.requests[1]!.prompt);
});

test.each([
  [
    "/v1/chat/completions",
    { messages: [user(text("a"), image("https://a.test/b.png"))] },
    "messages[0].content[1].image_url.url",
  ],
  [
    "/v1/responses",
    { input: [{ role: "user", content: [{ type: "input_image", image_url: "x" }] }] },
    "input[0].content[0].image_url",
  ],
  [
    "/v1/chat/completions/render",
    { messages: [user(image("blob:x"))] },
    "messages[0].content[0].image_url.url",
  ],
])("%s: a 400 names the image's URL, as at OpenAI", async (path, body, param) => {
  const { status, body: answer, images } = await sent(path, body);
  expect(answer).toMatchObject({
    error: { code: "invalid_image_url", param, type: "invalid_request_error" },
  });
  expect([status, images]).toEqual([400, undefined]);
});

test("a model that takes no images names those that do; audio, files and images of the system stay refused", async () => {
  const { post } = await seeingApp();
  const refusal = async (path: string, body: object) => {
    const response = await post(path, { model, ...body });
    expect(response.status).toBe(400);
    return (await response.json()).error;
  };
  expect(
    await refusal("/v1/chat/completions", { model: "plain", messages: [user(image(png))] }),
  ).toMatchObject({
    code: "unsupported_content",
    message: expect.stringContaining("'plain' does not take images. Models that do: 'seeing'."),
  });
  const input = [{ role: "system", content: [{ type: "input_image", image_url: png }] }];
  expect(await refusal("/v1/responses", { input })).toMatchObject({ code: "unsupported_content" });
  for (const file_id of ["file-1", null]) {
    const file = [{ role: "user", content: [{ type: "input_image", file_id }] }];
    expect(await refusal("/v1/responses", { input: file })).toMatchObject({
      code: "unsupported_content",
      param: "input[0].content[0]",
      message: expect.stringContaining("'image_url'; 'file_id' is not supported"),
    });
  }
  expect(await refusal("/v1/chat/completions", { messages: [user({ type: "input_audio" })] })).toMatchObject({
    code: "unsupported_content",
    param: "messages[0].content[0]",
  });
  const many = Array.from({ length: 33 }, () => image(png));
  expect(await refusal("/v1/chat/completions", { messages: [user(...many)] })).toMatchObject({
    code: "too_many_images",
    param: "messages[0].content[32]",
  });
});

test("a model's ability to see is listed", async () => {
  const { get } = await seeingApp();
  const { data } = await (await get("/v1/models")).json();
  const vision = (id: string) => data.find((one: { id: string }) => one.id === id).infetch.abilities.vision;
  expect([vision("seeing"), vision("plain")]).toEqual([true, false]);
});
