import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { isWhole, sha256 } from "../../../worker/model-store/cache/integrity.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

test("files are hashed one at a time, since each is in memory as a whole", async () => {
  let running = 0;
  let most = 0;
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementation(async function (this: Blob) {
    most = Math.max(most, ++running);
    return new Response(this).arrayBuffer();
  });
  vi.spyOn(crypto.subtle, "digest").mockImplementation(async (...call) => {
    const hash = await digest(...call);
    running--;
    return hash;
  });
  const texts = ["one", "two", "three", "four"];
  expect(await Promise.all(texts.map((text) => sha256(new Blob([text]))))).toEqual(texts.map(hashOf));
  expect(most).toBe(1);
});

test("a file of more than 64 MB is never in memory as a whole", async () => {
  const piece = Uint8Array.from({ length: 2 ** 20 }, (_, at) => (at * 7) & 255);
  const [size, hash, object] = [65 * 2 ** 20, createHash("sha256"), createHash("sha1")];
  object.update(`blob ${size}\0`);
  const content = {
    size,
    stream() {
      let left = 65;
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
      });
    },
    arrayBuffer: () => Promise.reject(new Error("It is too large.")),
  };
  for (let pieces = 0; pieces < 65; pieces++) {
    hash.update(piece);
    object.update(piece);
  }
  expect(await sha256(content)).toBe(hash.digest("hex"));
  const file = { name: "large", bytes: size, gitOid: object.digest("hex") };
  expect(await isWhole(content, file)).toBe(true);
  expect(await isWhole(content, { ...file, gitOid: "0".repeat(40) })).toBe(false);
});

test("a file that cannot be read fails alone", async () => {
  const broken = new Blob(["gone"]);
  broken.arrayBuffer = () => Promise.reject(new Error("gone"));
  const failing = sha256(broken);
  const next = isWhole(new Blob(["one"]), { name: "one", bytes: 3, sha256: hashOf("one") });
  await expect(failing).rejects.toThrow("gone");
  expect(await next).toBe(true);
});
