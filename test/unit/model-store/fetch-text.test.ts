/** Manifests of servers that do not answer. */

import { expect, test } from "vitest";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchText } from "../../../worker/model-store/fetch-text.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";

const MANIFEST = "https://models.example/m/infetch-model.json";

/** @param answer may wait for its signal, as `fetch` does */
function serve(answer: (signal: AbortSignal) => Promise<Response>) {
  const running = new Map<() => void, number>();
  const environment = {
    fetch: (_: string, { signal }: RequestInit) => answer(signal!),
    caches: new FakeCaches(),
    timers: {
      after(delayMs: number, call: () => void) {
        running.set(call, delayMs);
        return () => running.delete(call);
      },
    },
    origin: "https://app.test",
  } as unknown as StoreEnvironment;
  /** Waits for a timer, and lets its time pass. */
  const passMinute = async (): Promise<void> => {
    await expect.poll(() => [...running.values()], { interval: 1 }).toEqual([60_000]);
    for (const call of running.keys()) call();
  };
  return { environment, running, passMinute };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const withoutEnd = async (signal: AbortSignal): Promise<Response> =>
  new Response(
    new ReadableStream({
      start: (body) => signal.addEventListener("abort", () => body.error(signal.reason)),
    }),
  );

test.each([
  ["headers", aborted],
  ["an end", withoutEnd],
])("a text without %s is given up after a minute", async (_, answer) => {
  const { environment, passMinute, running } = serve(answer);
  const text = fetchText(`${MANIFEST}?key=secret`, undefined, environment);
  text.catch(() => {});
  await passMinute();
  await expect(text).rejects.toMatchObject({
    code: "model_download_failed",
    message: `The model file ${MANIFEST} could not be loaded: it was not sent within a minute. Send the request again to retry.`,
  });
  expect(running.size).toBe(0);
});

test("the version that was stored is read in its place", async () => {
  const there = serve(async () => new Response("stored"));
  expect(await fetchText(MANIFEST, undefined, there.environment)).toBe("stored");
  expect(there.running.size).toBe(0);
  const { environment, passMinute } = serve(withoutEnd);
  const text = fetchText(MANIFEST, undefined, { ...environment, caches: there.environment.caches });
  await passMinute();
  expect(await text).toBe("stored");
});

test("a file that the server does not have is none, and no error", async () => {
  const page = { status: 200, headers: { "content-type": "text/html" } };
  for (const init of [{ status: 404 }, page]) {
    const { environment, running } = serve(async () => new Response("x", init));
    expect(await fetchText(MANIFEST, undefined, environment)).toBeUndefined();
    expect(running.size).toBe(0);
  }
});

test.each([408, 429, 500, 503])("an outage (%i) leaves the version that was stored", async (status) => {
  const there = serve(async () => new Response("stored"));
  await fetchText(MANIFEST, undefined, there.environment);
  const { environment } = serve(async () => new Response("x", { status }));
  await expect(fetchText(MANIFEST, undefined, environment)).rejects.toThrow(String(status));
  const { caches } = there.environment;
  expect(await fetchText(MANIFEST, undefined, { ...environment, caches })).toBe("stored");
  const refused = serve(async () => new Response("x", { status: 403 })).environment;
  await expect(fetchText(MANIFEST, undefined, { ...refused, caches })).rejects.toThrow("403");
});

test("a body that breaks changes nothing about its status", async () => {
  const there = serve(async () => new Response("stored"));
  await fetchText(MANIFEST, undefined, there.environment);
  const broken = (status: number) => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("reset")) });
    const { environment } = serve(async () => new Response(body, { status }));
    return fetchText(MANIFEST, undefined, { ...environment, caches: there.environment.caches });
  };
  expect(await broken(404)).toBeUndefined();
  expect(await broken(503)).toBe("stored");
  await expect(broken(403)).rejects.toMatchObject({ code: "model_download_failed" });
});

test("of a text with a hash that does not end, no more is read than of any", async () => {
  let mebibytes = 0;
  const pull = (body: ReadableStreamDefaultController) => {
    mebibytes++;
    body.enqueue(new Uint8Array(2 ** 20));
  };
  const { environment } = serve(async () => new Response(new ReadableStream({ pull })));
  const now = { ...environment, now: () => 0, random: () => 0 };
  await expect(fetchText(MANIFEST, "0".repeat(64), now)).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringContaining(`${MANIFEST} could not be loaded: its size or hash differs`),
  });
  // It is fetched twice.
  expect(mebibytes).toBeLessThan(2 * 20);
});

test("a text that is too long is refused by its address, and not stored", async () => {
  const pull = (body: ReadableStreamDefaultController) => body.enqueue(new Uint8Array(2 ** 20));
  const { environment, running } = serve(async () => new Response(new ReadableStream({ pull })));
  await expect(fetchText(MANIFEST, undefined, environment)).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringContaining(`${MANIFEST} could not be loaded: it is longer than 16 MiB.`),
  });
  expect(running.size).toBe(0);
  expect(await (await environment.caches!.open("infetch/manifests")).match(MANIFEST)).toBeUndefined();
});
