/** Pages of the hub's API, whose server is not trusted. */

import { expect, test } from "vitest";
import { readPage } from "../../../../worker/model-store/hub/page.ts";

const pageOf = (link: string) => readPage(new Response('["ü"]', { headers: { link } }), 1_000);

test("the address of the next page is that of its link", async () => {
  const link = '<https://hub.test/a>; rel="prev", <https://hub.test/b?cursor=x>; rel="next"';
  expect(await pageOf(link)).toEqual({ value: ["ü"], next: "https://hub.test/b?cursor=x", bytes: 6 });
  expect(await pageOf("")).toEqual({ value: ["ü"], next: undefined, bytes: 6 });
});

test("a link of any form is read in one pass", async () => {
  // In a second pass for each character, it would take hours.
  expect((await pageOf("<".repeat(2_000_000)))?.next).toBeUndefined();
});

test("a page that is too long is left, also if its body fails then", async () => {
  const pull = (body: ReadableStreamDefaultController) => body.enqueue(new Uint8Array(600));
  const cancel = () => Promise.reject(new TypeError("The connection was lost."));
  expect(await readPage(new Response(new ReadableStream({ pull, cancel })), 1_000)).toBeUndefined();
});

test("a page whose connection breaks is asked for again", async () => {
  const pull = (body: ReadableStreamDefaultController) => body.error(new TypeError("lost"));
  await expect(readPage(new Response(new ReadableStream({ pull })), 1_000)).rejects.toMatchObject({
    name: "TransientFailure",
  });
});
