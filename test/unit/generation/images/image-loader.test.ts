import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { systemClock, type Timers } from "../../../../worker/clock.ts";
import { writeBmp } from "../../../../worker/generation/images/bmp.ts";
import { download, isRemote } from "../../../../worker/generation/images/download.ts";
import { ImageLoader } from "../../../../worker/generation/images/image-loader.ts";
import { preprocessImage } from "../../../../worker/generation/images/preprocess-image.ts";
import { fakeLoadImage } from "../../../fakes/fake-image-loader.ts";
import { dataURL, imageFile } from "../../../support/images/image-files.ts";

const png = imageFile("quarters.png");
const signal = new AbortController().signal;
const read = (url: string) => fakeLoadImage({ url, detail: "auto", allowsRemote: false }, signal, time());
const time = () => ({ leftMs: 60_000 });

const BAD: [url: string, code: string][] = [
  ["", "invalid_image_url"],
  ["cat.png", "invalid_image_url"],
  ["javascript:alert(1)", "invalid_image_url"],
  ["file:///etc/passwd", "invalid_image_url"],
  ["blob:https://app.test/1", "invalid_image_url"],
  ["https://example.com/cat.png", "invalid_image_url"],
  ["data:image/png,abc", "invalid_image_url"],
  ["data:image/png;base64", "invalid_image_url"],
  ["data:image/png;base64,%%%", "invalid_base64_image"],
  ["data:image/png;base64,", "empty_image_file"],
  [`data:image/png;base64,${"A".repeat(30 * 2 ** 20)}`, "image_file_too_large"],
  ["data:image/svg+xml;base64,PHN2Zy8+", "invalid_image_format"],
  [dataURL(png.subarray(0, 60)), "image_parse_error"],
];

test.each(BAD.map(([url, code]) => [url.slice(0, 40), code, url]))("'%s' is %s", async (_, code, url) => {
  expect(await read(url)).toMatchObject({ ok: false, code });
});

test("the file decides, not the type that the URL names; the scheme has no case, and base64 may have spaces", async () => {
  const plain = await read(dataURL(png));
  expect(plain.ok).toBe(true);
  for (const url of [
    dataURL(png, "text/plain"),
    dataURL(png).replace("data:", "DATA:"),
    dataURL(png).replace(",", ",\n "),
  ]) {
    expect(await read(url)).toEqual(plain);
  }
});

test("an image of 20 MiB may be sent in lines", async () => {
  const whole = dataURL(Buffer.concat([png, Buffer.alloc(20 * 2 ** 20 - png.length)]));
  const inLines = whole.replace(/[^,]{76}/g, "$&\r\n");
  expect(await read(inLines)).toEqual(await read(whole));
  expect(await read(inLines)).toMatchObject({ ok: true });
  expect(await read(`${inLines}AAAA`)).toMatchObject({ ok: false });
});

test("URLs may have spaces around them, and data URLs percent-encoded base64, as in an <img>", async () => {
  const fetched = vi.fn(async () => new Response("image"));
  vi.stubGlobal("fetch", fetched);
  for (const url of [" https://a.test/b.png", "\nHTTPS://a.test/b.png", "\u00a0https://a.test/b.png\u2003"]) {
    expect(isRemote(url)).toBe(true);
    await download(url, signal);
    expect(fetched).toHaveBeenLastCalledWith(url.trim(), expect.anything());
  }
  vi.unstubAllGlobals();
  expect(isRemote("ftp://a.test")).toBe(false);
  const plain = await read(dataURL(png));
  const [head, data] = dataURL(png).split(",") as [string, string];
  for (const url of [` \n${dataURL(png)}\n`, `${head},${encodeURIComponent(data)}`, `${head},%0A${data}`]) {
    expect(await read(url)).toEqual(plain);
  }
  expect(await read(`${head},${data}%e2%82`)).toMatchObject({ code: "invalid_base64_image" });
});

test("an image's id depends on the server's key", async () => {
  const draw = async () => ({ width: 1, height: 1, data: new Uint8ClampedArray(4) });
  const idWith = async (key: number) => {
    const task = { source: dataURL(png), detail: "auto", key: Uint8Array.of(key) } as const;
    const result = await preprocessImage(task, draw);
    return result.ok && result.image.id;
  };
  expect(await idWith(1)).toMatch(/^[0-9a-f]{64}$/);
  expect(await idWith(1)).toBe(await idWith(1));
  expect(await idWith(1)).not.toBe(await idWith(2));
});

test("an image for which there is no memory is the client's fault; other errors are not", async () => {
  const readWith = (error: Error) =>
    preprocessImage({ source: dataURL(png), detail: "auto", key: new Uint8Array(32) }, () =>
      Promise.reject(error),
    );
  const outOfMemory = new RangeError("Array buffer allocation failed");
  expect(await readWith(outOfMemory)).toMatchObject({ ok: false, code: "image_too_large" });
  await expect(readWith(new TypeError("broken"))).rejects.toThrow("broken");
});

test("downloads that fail are a fault that names the cause, and CORS only where it may be the cause", async () => {
  const host = createServer(({ url }, response) => {
    if (url === "/missing") response.writeHead(404).end();
    if (url === "/cut")
      response.writeHead(200, { "content-length": 9 }).write("half", () => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const { port } = host.address() as AddressInfo;
  const faultOf = (url: string, withinMs?: number) => download(url, signal, withinMs).catch((error) => error);
  try {
    const code = "failed_to_download_image";
    const missing = await faultOf(`http://127.0.0.1:${port}/missing`);
    expect(missing).toMatchObject({
      code,
      message: "The image could not be downloaded: its server answered 404.",
    });
    const cut = await faultOf(`http://127.0.0.1:${port}/cut`);
    expect(cut).toMatchObject({ code, message: expect.not.stringContaining("CORS") });
    const slow = await faultOf(`http://127.0.0.1:${port}/slow`, 20);
    expect(slow).toMatchObject({ code, message: expect.not.stringContaining("CORS") });
    const refused = await faultOf("http://127.0.0.1:9/cat.png");
    expect(refused).toMatchObject({ code, message: expect.stringContaining("CORS") });
  } finally {
    host.closeAllConnections();
    host.close();
  }
});

test("the rest of an error's answer is not received", async () => {
  const cancel = vi.fn();
  vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ cancel }), { status: 404 }));
  await expect(download("https://a.test/", signal)).rejects.toThrow("answered 404");
  expect(cancel).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("an address that no browser fetches is no valid URL", async () => {
  for (const url of ["http://", "https://a b/", "http://user@a.test/b.png", "http://:word@a.test/b.png"]) {
    await expect(download(url, signal), url).rejects.toMatchObject({ code: "invalid_image_url" });
  }
});

test("a BMP has its rows from the bottom up, padded, as blue, green, red", () => {
  const pixels = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255);
  const bytes = writeBmp(1, 2, pixels);
  expect([...bytes.subarray(54)]).toEqual([6, 5, 4, 0, 3, 2, 1, 0]);
  expect(new DataView(bytes.buffer).getUint32(2, true)).toBe(bytes.length);
});

interface StartedWorker {
  posted: number;
  terminated: boolean;
  onmessage?: (event: object) => void;
}

/** A loader whose workers answer when told, whose timers end when told, and whose clock stands still. */
function toldReader() {
  const workers: StartedWorker[] = [];
  const due: { delayMs: number; call: () => void }[] = [];
  const clock = { ms: 0, monotonic: () => clock.ms };
  const timers: Timers = {
    after(delayMs, call) {
      const timer = { delayMs, call };
      due.push(timer);
      return () => due.splice(due.indexOf(timer), 1);
    },
  };
  const start = () => {
    const worker = {
      posted: 0,
      terminated: false,
      postMessage: () => worker.posted++,
      terminate: () => {
        worker.terminated = true;
      },
    };
    workers.push(worker);
    return worker as unknown as Worker;
  };
  const loader = new ImageLoader("https://app.test/images.js", timers, start, {
    ...systemClock,
    monotonic: clock.monotonic,
  });
  return { loader, workers, due, clock };
}
const answer = { data: { result: { ok: true, image: { id: "1" } } } };
const request = { url: dataURL(png), detail: "auto" as const, allowsRemote: false };

test("an image that takes too long is refused, and the next one gets a new worker", async () => {
  const { loader, workers, due } = toldReader();
  const [slow, next] = [loader.load(request, signal, time()), loader.load(request, signal, time())];
  await expect.poll(() => workers[0]?.posted).toBe(1);
  due.shift()!.call();
  expect(await slow).toMatchObject({ ok: false, code: "image_parse_error" });
  await expect.poll(() => workers[1]?.posted).toBe(1);
  workers[1]!.onmessage!(answer);
  expect(await next).toMatchObject({ ok: true });
  await expect.poll(() => workers.every(({ terminated }) => terminated)).toBe(true);
  expect(due).toEqual([]);
});

test("a URL longer than any image is not copied to the worker", async () => {
  const { loader, workers } = toldReader();
  const url = `data:image/png;base64,${"A".repeat(28 * 2 ** 20)}`;
  expect(await loader.load({ ...request, url }, signal, time())).toMatchObject({
    code: "image_file_too_large",
  });
  expect(workers).toEqual([]);
});

test("an abort ends the decoder, and the next image gets a new one", async () => {
  const { loader, workers, due } = toldReader();
  const abort = new AbortController();
  const reading = loader.load(request, abort.signal, time());
  const next = loader.load(request, signal, time());
  await expect.poll(() => workers[0]?.posted).toBe(1);
  abort.abort(new Error("No longer wanted."));
  await expect(reading).rejects.toThrow("No longer wanted.");
  await expect.poll(() => workers[1]?.posted).toBe(1);
  expect(workers[0]!.terminated).toBe(true);
  workers[1]!.onmessage!(answer);
  expect(await next).toMatchObject({ ok: true });
  expect(due).toEqual([]);
});

test("the images of a request have one time limit", async () => {
  const { loader, workers, due, clock } = toldReader();
  const left = time();
  const first = loader.load(request, signal, left);
  await expect.poll(() => workers[0]?.posted).toBe(1);
  clock.ms = 45_000;
  workers[0]!.onmessage!(answer);
  await first;
  const second = loader.load(request, signal, left);
  await expect.poll(() => due[0]?.delayMs).toBe(15_000);
  due[0]!.call();
  expect(await second).toMatchObject({ ok: false, code: "image_parse_error" });
});

test("a host that does not answer holds up its own image only, until it is aborted", async () => {
  const host = createServer(() => {}).listen(0, "127.0.0.1");
  await once(host, "listening");
  try {
    const { loader, workers } = toldReader();
    const abort = new AbortController();
    const { port } = host.address() as AddressInfo;
    const remote = { ...request, url: `http://127.0.0.1:${port}/`, allowsRemote: true };
    const waiting = loader.load(remote, abort.signal, time());
    const next = loader.load(request, signal, time());
    await expect.poll(() => workers[0]?.posted).toBe(1);
    workers[0]!.onmessage!(answer);
    expect(await next).toMatchObject({ ok: true });
    abort.abort(new Error("No longer wanted."));
    await expect(waiting).rejects.toThrow("No longer wanted.");
  } finally {
    host.closeAllConnections();
    host.close();
  }
});
