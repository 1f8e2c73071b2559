/** A body that is being read arrives whole, whatever the page's garbage collector takes meanwhile. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "./support/page-server.ts";

const CHUNKS = 10;
const WHOLE = "0123456789".repeat(CHUNKS);

let fetch: typeof globalThis.fetch;
let close: () => void;

beforeAll(async () => {
  const { runtime } = await startRuntime(() => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await litter();
        if (sent++ === CHUNKS) controller.close();
        else controller.enqueue(new TextEncoder().encode("0123456789"));
      },
    });
    return new Response(body);
  });
  fetch = runtime.fetch;
  close = () => runtime.close();
});

afterAll(() => close());

/** Makes enough garbage that every browser collects it many times in a test. */
async function litter(): Promise<void> {
  Array.from({ length: 4 }, () => new Uint8Array(2 ** 23));
  await new Promise((resolve) => setTimeout(resolve));
}

async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield decoder.decode(read.value);
    await litter();
  }
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

const READERS: [string, (response: Response) => Promise<string>][] = [
  ["text()", (response) => response.text()],
  ["a Blob", async (response) => (await response.blob()).text()],
  ["its reader", (response) => joined(pieces(response.body!))],
  ["a clone", (response) => response.clone().text()],
  ["a branch of tee()", (response) => joined(pieces(response.body!.tee()[1]!))],
  ["a new Response", (response) => new Response(response.body).text()],
  [
    "a chain of transforms",
    (response) =>
      new Response(
        response.body!.pipeThrough(new TransformStream()).pipeThrough(new TransformStream()),
      ).text(),
  ],
  [
    "a slow sink",
    async (response) => {
      let text = "";
      const write = async (bytes: Uint8Array): Promise<void> => {
        await litter();
        text += new TextDecoder().decode(bytes);
      };
      await response.body!.pipeTo(new WritableStream({ write }));
      return text;
    },
  ],
];

test.each(READERS)("read by %s", async (_, read) => {
  // Several at once, and no reference is kept to any response.
  const texts = await Promise.all(Array.from({ length: 2 }, async () => read(await fetch("/v1/slow"))));
  expect(texts).toEqual([WHOLE, WHOLE]);
});
