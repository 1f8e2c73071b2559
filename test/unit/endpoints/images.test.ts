import { expect, test } from "vitest";
import type { RequestContext, Services } from "../../../worker/endpoints/endpoint.ts";
import { withImages } from "../../../worker/endpoints/images/with-images.ts";
import type { ChatRequest } from "../../../worker/generation/chat-request.ts";
import type { LoadImage } from "../../../worker/generation/images/preprocess-image.ts";
import { seeing } from "../../support/images/seeing-app.ts";

/** 2,048 × 2,048 pixels; equal URLs are equal images. */
const loadImage: LoadImage = async ({ url }) => ({
  ok: true,
  image: { id: url.padStart(64, "0"), bytes: new Uint8Array(12 * 2 ** 20 + 54) },
});

function seen(urls: readonly string[]): Promise<ChatRequest> {
  const images = urls.map((url, at) => ({ url, detail: "auto", at: 0, param: `part ${at}` }));
  const chat = { messages: [{ role: "user", text: "a", images }], tools: [] } as unknown as ChatRequest;
  const context = { request: new Request("https://app.test/") } as RequestContext;
  return withImages(chat, seeing, context, { loadImage } as Services);
}

test("the pixels of a request are limited before it waits; equal images count once", async () => {
  const eight = Array.from({ length: 8 }, (_, at) => String(at));
  expect((await seen([...eight, ...eight])).images).toHaveLength(8);
  await expect(seen([...eight, "8"])).rejects.toMatchObject({ code: "too_many_images", param: "part 8" });
});

test("a request that waits keeps no URL of an image", async () => {
  const { messages } = await seen(["1"]);
  expect(messages).toEqual([{ role: "user", text: expect.stringMatching(/\w{64}.a$/) }]);
});
