import { expect, test } from "vitest";
import { sendBody, WINDOW_BYTES } from "../../src/protocol/transfer/body.ts";
import { ReceivedBody } from "../../src/protocol/transfer/received-body.ts";
import { bodyOf, buildRequest, holdBody } from "../../src/protocol/transfer/request-body.ts";

const url = "https://any.example/v1/files";

function textOf(request: Request): Promise<string> {
  return new Response(bodyOf(request)).text();
}

test("a form is written as browsers write it, and parsed as it was", async () => {
  const form = new FormData();
  form.append('na"me\r', "one\ntwo\r\nthree\r");
  form.append("file", new File(["{}\n"], 'a "b"\n.jsonl', { type: "application/jsonl" }));
  form.append("file", new Blob([Uint8Array.of(0, 255)]));
  const request = buildRequest(url, { method: "POST", body: form });
  const type = request.headers.get("content-type")!;
  const boundary = /^multipart\/form-data; boundary=([a-z0-9-]+)$/.exec(type)![1]!;
  const bytes = await new Response(bodyOf(request)).bytes();
  const text = new TextDecoder("latin1").decode(bytes);
  expect(text.startsWith(`--${boundary}\r\nContent-Disposition: form-data; name="na%22me%0D%0A"\r\n`)).toBe(
    true,
  );
  expect(text).toContain("\r\n\r\none\r\ntwo\r\nthree\r\n\r\n--");
  expect(text).toContain(
    'name="file"; filename="a %22b%22%0A.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n{}\n\r\n',
  );
  expect(text).toContain('filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n\0ÿ\r\n');
  expect(text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true);
  const parsed = await new Response(bytes, { headers: { "content-type": type } }).formData();
  expect([...parsed.keys()].length).toBe(3);
});

test("what is no stream can be read again; what its caller changes afterwards is not sent", async () => {
  const bytes = new TextEncoder().encode("before");
  const request = buildRequest(url, { method: "POST", body: bytes });
  bytes.fill(0);
  expect(await textOf(request)).toBe("before");
  expect(await textOf(request)).toBe("before");
});

test("a stream is sent once, and again where it was held", async () => {
  const stream = (text: string) => new Blob([text]).stream();
  const request = buildRequest(url, { method: "POST", body: stream("held"), duplex: "half" });
  const release = holdBody(request);
  expect(await textOf(request)).toBe("held");
  release(true);
  expect(await textOf(request)).toBe("held");
  const elsewhere = new Request(url, { method: "POST", body: "elsewhere" });
  const [taken, again] = [holdBody(buildRequest(elsewhere)), elsewhere];
  taken(false);
  expect(again.bodyUsed).toBe(true);
});

test("a large Blob is read in pieces, and none ahead of its reader", async () => {
  const reads: number[] = [];
  class Watched extends Blob {
    override slice(start?: number, end?: number): Blob {
      reads.push(start ?? 0);
      return super.slice(start, end);
    }
  }
  const file = new Watched([new Uint8Array(5 * 2 ** 20)]);
  const reader = bodyOf(buildRequest(url, { method: "POST", body: file }))!.getReader();
  const piece = WINDOW_BYTES / 2;
  expect((await reader.read()).value?.byteLength).toBe(piece);
  expect((await reader.read()).value?.byteLength).toBe(piece);
  expect(reads).toEqual([0, piece]);
});

test("an init of any kind is read as the constructor reads it", async () => {
  const from = new Request(url, { method: "PUT", body: new Blob(["x"]), headers: { "x-a": "1" } });
  const frozen = Object.freeze({ method: "PUT", body: new Blob(["x"]), headers: { "x-a": "1" } });
  const kinds: RequestInit[] = [frozen, Object.create(frozen), from];
  for (const init of kinds) {
    const request = buildRequest(url, init);
    expect([request.method, request.headers.get("x-a"), await textOf(request)]).toEqual(["PUT", "1", "x"]);
  }
  expect(() => buildRequest(url, { method: "GET", body: new Blob(["x"]) })).toThrow(TypeError);
});

test("pieces of a Blob are transferred, not copied: the sender keeps no memory of a large upload", async () => {
  const content = new Uint8Array(3 * WINDOW_BYTES + 1).map((_, at) => at % 251);
  const stream = bodyOf(buildRequest(url, { method: "POST", body: content }))!;
  const pieces: Uint8Array[] = [];
  const getReader = stream.getReader.bind(stream);
  const watched = Object.assign(stream, {
    getReader() {
      const reader = getReader();
      const read = async () => {
        const result = await reader.read();
        if (result.value) pieces.push(result.value);
        return result;
      };
      return { read, cancel: (reason: unknown) => reader.cancel(reason) };
    },
  });
  const { port1, port2 } = new MessageChannel();
  const received = new ReceivedBody(port2);
  const [bytes] = await Promise.all([
    new Response(received.stream).bytes(),
    sendBody(watched as ReadableStream<Uint8Array>, port1),
  ]);
  port1.close();
  port2.close();
  expect(Buffer.compare(bytes, content)).toBe(0);
  expect(pieces).toHaveLength(7);
  for (const { byteLength } of pieces) expect(byteLength).toBe(0);
});
