import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fc } from "../support/random.ts";
import { echo, type Seen, startRuntime } from "./support/page-server.ts";

let fetch: typeof globalThis.fetch;
let close: () => void;
const base = `${location.origin}/v1`;

beforeAll(async () => {
  const { runtime } = await startRuntime(echo);
  fetch = runtime.fetch;
  close = () => runtime.close();
});

afterAll(() => close());

async function send(input: RequestInfo | URL, init?: RequestInit & { duplex?: "half" }): Promise<Seen> {
  return (await fetch(input, init)).json();
}

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return new Blob(parts).stream();
}

describe("input", () => {
  test.each([
    ["a string", () => `${base}/x?y=1`],
    ["a URL", () => new URL(`${base}/x?y=1`)],
    ["a Request", () => new Request(`${base}/x?y=1`)],
    ["a relative address", () => "/v1/x?y=1"],
    ["an object with toString", () => ({ toString: () => "/v1/x?y=1" }) as unknown as string],
  ])("%s", async (_, input) => {
    expect(await send(input())).toMatchObject({ url: `${base}/x?y=1`, method: "GET", body: "" });
  });

  test("a relative address resolves against the document's base", async () => {
    const element = document.head.appendChild(document.createElement("base"));
    try {
      element.href = "/v1/deep/";
      expect((await send("../x")).url).toBe(`${base}/x`);
    } finally {
      element.remove();
    }
  });

  test("a Request of another realm", async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    try {
      const Foreign = (frame.contentWindow as unknown as typeof globalThis).Request;
      const request = new Foreign(`${base}/x`, { method: "POST", body: "hi", headers: { "x-a": "1" } });
      expect(await send(request)).toMatchObject({ url: `${base}/x`, method: "POST", body: "hi" });
    } finally {
      frame.remove();
    }
  });

  test("a Request around a form with a file: sent, or refused where the browser cannot read it", async () => {
    const form = new FormData();
    form.append("file", new File(["hello"], "name.txt"));
    const request = new Request(`${base}/x`, { method: "POST", body: form });
    const isReadable = await request
      .clone()
      .blob()
      .then(
        () => true,
        () => false,
      );
    if (isReadable) expect((await send(request)).body).toContain("hello");
    else await expect(send(request)).rejects.toThrow("Pass the form to `fetch`, not in a Request.");
  });

  test("init overrides a Request", async () => {
    const request = new Request(`${base}/x`, { method: "POST", body: "one", headers: { "x-a": "1" } });
    const seen = await send(request, { method: "PUT", body: "two", headers: { "x-b": "2" } });
    expect(seen).toMatchObject({ method: "PUT", body: "two", headers: { "x-b": "2" } });
    expect(seen.headers).not.toHaveProperty("x-a");
  });

  test("a Request's body is used by the call, at once", async () => {
    const request = new Request(`${base}/x`, { method: "POST", body: "one" });
    const answer = send(request);
    expect(request.bodyUsed).toBe(true);
    expect((await answer).body).toBe("one");
    await expect(fetch(request)).rejects.toThrow(TypeError);
  });

  test("the clone of a Request can be sent after it", async () => {
    const request = new Request(`${base}/x`, { method: "POST", body: "one" });
    const clone = request.clone();
    expect((await send(request)).body).toBe("one");
    expect((await send(clone)).body).toBe("one");
  });
});

describe("body", () => {
  const bytes = new TextEncoder().encode("häl");
  const kinds: [kind: string, body: () => BodyInit | null, text: string, type: string | undefined][] = [
    ["a string", () => "häl", "häl", "text/plain;charset=UTF-8"],
    ["a Blob", () => new Blob(["häl"], { type: "text/x" }), "häl", "text/x"],
    ["a Blob without a type", () => new Blob(["häl"]), "häl", undefined],
    ["an ArrayBuffer", () => bytes.slice().buffer, "häl", undefined],
    ["a typed array", () => bytes, "häl", undefined],
    ["a part of a buffer", () => bytes.subarray(1, 3), "ä", undefined],
    ["a DataView", () => new DataView(bytes.buffer, 0, 1), "h", undefined],
    [
      "URLSearchParams",
      () => new URLSearchParams({ a: "ä b" }),
      "a=%C3%A4+b",
      "application/x-www-form-urlencoded;charset=UTF-8",
    ],
    ["a stream", () => streamOf("hä", "l"), "häl", undefined],
    ["an empty string", () => "", "", "text/plain;charset=UTF-8"],
    ["an empty stream", () => streamOf(), "", undefined],
    ["null", () => null, "", undefined],
  ];
  test.each(kinds)("%s", async (_, body, text, type) => {
    const seen = await send(`${base}/x`, { method: "POST", body: body(), duplex: "half" });
    expect(seen.body).toBe(text);
    expect(seen.headers["content-type"]).toBe(type);
  });

  test("FormData, with a file", async () => {
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new File(["{}\n"], "lines.jsonl", { type: "application/jsonl" }));
    const seen = await send(`${base}/x`, { method: "POST", body: form });
    const again = new Response(seen.body, { headers: { "content-type": seen.headers["content-type"]! } });
    const parsed = await again.formData();
    expect(parsed.get("purpose")).toBe("batch");
    expect(await (parsed.get("file") as File).text()).toBe("{}\n");
    expect((parsed.get("file") as File).name).toBe("lines.jsonl");
  });

  test("a stream without duplex is refused, as by the real fetch", async () => {
    const init = { method: "POST", body: streamOf("x") };
    await expect(fetch(`${base}/x`, init)).rejects.toThrow(TypeError);
  });

  test("a stream that is locked or was read is refused", async () => {
    const locked = streamOf("x");
    locked.getReader();
    const init = { method: "POST", body: locked, duplex: "half" } as RequestInit;
    await expect(fetch(`${base}/x`, init)).rejects.toThrow(TypeError);
  });

  test("a stream that fails rejects the call with a TypeError, its error as the cause", async () => {
    const error = new Error("disk on fire");
    const body = new ReadableStream({ pull: (controller) => controller.error(error) });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const rejection = await fetch(`${base}/x`, init).catch((reason) => reason);
    expect(rejection).toBeInstanceOf(TypeError);
    expect(rejection.cause).toBe(error);
  });

  test("a stream of something else than bytes rejects, and the server lives on", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue("text");
        controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    await expect(fetch(`${base}/x`, init)).rejects.toThrow(TypeError);
    expect((await send(`${base}/x`)).method).toBe("GET");
  });

  test("the buffers of a stream stay the caller's", async () => {
    const chunk = new Uint8Array(100_000).fill(65);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(chunk);
        controller.close();
      },
    });
    const seen = await send(`${base}/x`, { method: "POST", body, duplex: "half" });
    expect(seen.body.length).toBe(100_000);
    expect(chunk.byteLength).toBe(100_000);
  });

  test("any text arrives as it was sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2000 }), async (text) => {
        expect((await send(`${base}/x`, { method: "POST", body: text })).body).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  test("where Request.body is missing (Firefox), the body of a Request is read and sent", async () => {
    const descriptor = Object.getOwnPropertyDescriptor(Request.prototype, "body");
    Reflect.deleteProperty(Request.prototype, "body");
    try {
      const request = new Request(`${base}/x`, { method: "POST", body: new URLSearchParams({ a: "1" }) });
      expect(await send(request)).toMatchObject({ body: "a=1" });
      expect(await send(`${base}/x`, { method: "POST", body: "whole" })).toMatchObject({ body: "whole" });
      expect(await send(`${base}/x`)).toMatchObject({ method: "GET", body: "" });
      await expect(
        fetch(`${base}/x`, { method: "POST", body: "x", signal: AbortSignal.abort() }),
      ).rejects.toThrow(DOMException);
    } finally {
      if (descriptor) Object.defineProperty(Request.prototype, "body", descriptor);
    }
  });
});

describe("method", () => {
  test.each([
    ["post", "POST"],
    ["delete", "DELETE"],
    ["Options", "OPTIONS"],
    ["patch", "patch"],
    ["CUSTOM", "CUSTOM"],
  ])("%s is sent as %s", async (method, sent) => {
    expect((await send(`${base}/x`, { method })).method).toBe(sent);
  });

  test.each(["GET", "HEAD"])("%s with a body is refused", async (method) => {
    await expect(fetch(`${base}/x`, { method, body: "x" })).rejects.toThrow(TypeError);
  });

  test.each(["CONNECT", "TRACE", "not a method"])("%s is refused", async (method) => {
    await expect(fetch(`${base}/x`, { method })).rejects.toThrow(TypeError);
  });
});

describe("headers", () => {
  test.each([
    ["an object", { "X-A": "1", "x-b": "2" }],
    [
      "an array",
      [
        ["X-A", "1"],
        ["x-b", "2"],
      ] as [string, string][],
    ],
    ["Headers", new Headers({ "X-A": "1", "x-b": "2" })],
  ])("%s", async (_, headers) => {
    expect((await send(`${base}/x`, { headers })).headers).toMatchObject({ "x-a": "1", "x-b": "2" });
  });

  test("the same name twice is joined, space around a value is dropped", async () => {
    const headers: [string, string][] = [
      ["x-a", " 1 "],
      ["X-A", "2"],
    ];
    expect((await send(`${base}/x`, { headers })).headers["x-a"]).toBe("1, 2");
  });

  test("the caller's content-type wins over the body's", async () => {
    const init = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
    expect((await send(`${base}/x`, init)).headers["content-type"]).toBe("application/json");
  });

  test("authorization passes, forbidden names are dropped", async () => {
    const { headers } = await send(`${base}/x`, { headers: { Authorization: "Bearer k", Cookie: "c=1" } });
    expect(headers.authorization).toBe("Bearer k");
    expect(headers).not.toHaveProperty("cookie");
  });

  test.each([
    ["a bad name", { "a b": "1" }],
    ["a bad value", { a: "1\n2" }],
    ["a value beyond Latin-1", { a: "€" }],
    ["a broken pair", [["a"]] as unknown as [string, string][]],
  ])("%s is refused", async (_, headers) => {
    await expect(fetch(`${base}/x`, { headers })).rejects.toThrow(TypeError);
  });
});
