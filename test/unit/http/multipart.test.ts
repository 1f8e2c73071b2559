import { expect, test } from "vitest";
import { readMultipart, requireBoundary } from "../../../worker/http/body/multipart.ts";
import { fc } from "../../support/random.ts";
import { cutAt, streamOf as streamOfChunks } from "../batch/support/chunks.ts";

interface ReadPart {
  name: string;
  filename: string | undefined;
  bytes: number[];
}

async function read(stream: ReadableStream<Uint8Array>, boundary: string): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for await (const { name, filename, content } of readMultipart(stream, boundary)) {
    const bytes: number[] = [];
    for await (const piece of content) bytes.push(...piece);
    parts.push({ name, filename, bytes });
  }
  return parts;
}

const encode = (text: string) => new TextEncoder().encode(text);
const streamOf = (text: string | Uint8Array, cuts: number[] = []) =>
  streamOfChunks(cutAt(typeof text === "string" ? encode(text) : text, cuts));

test("a form of the platform is read back, wherever its chunks end", async () => {
  const content = fc.array(fc.constantFrom("\r", "\n", "-", "--", "\r\n--", "x", "é", "\0"), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("file", "purpose", 'a "b"', "ключ"), content, fc.boolean())),
      fc.array(fc.nat(3000), { maxLength: 100 }),
      async (fields, cuts) => {
        const form = new FormData();
        for (const [name, pieces, isFile] of fields) {
          if (isFile) form.append(name, new Blob([pieces.join("")]), `${name}.jsonl`);
          else form.append(name, pieces.join(""));
        }
        const response = new Response(form);
        const boundary = requireBoundary(response.headers.get("content-type"));
        const bytes = new Uint8Array(await response.arrayBuffer());
        const parts = await read(streamOf(bytes, cuts), boundary);
        // FormData normalizes line breaks in text fields to CRLF.
        const expected = fields.map(([name, pieces, isFile]) => {
          const text = pieces.join("");
          const sent = isFile ? text : text.replace(/\r\n|\r|\n/g, "\r\n");
          return { name, filename: isFile ? `${name}.jsonl` : undefined, bytes: [...encode(sent)] };
        });
        expect(parts).toEqual(expected);
      },
    ),
  );
});

test("names of any text are read as the platform reads them", async () => {
  const pieces = [
    "\u2028",
    "\u2029",
    '"',
    "\\",
    ";",
    "; ",
    'filename="x"',
    "name=",
    "=",
    "%22",
    "%0a",
    " ",
    "\t",
    "ü",
    "a",
  ];
  const text = fc
    .array(fc.constantFrom(...pieces, "\r", "\n", "\r\n", "\0", "content-disposition:", "😀"), {
      maxLength: 6,
    })
    .map((found) => found.join(""));
  const fields = fc.array(fc.tuple(text, fc.option(text, { nil: undefined })), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const form = new FormData();
      for (const [name, filename] of given) {
        if (filename === undefined) form.append(name, "text");
        else form.append(name, new Blob(["file"]), filename);
      }
      const response = new Response(form);
      const boundary = requireBoundary(response.headers.get("content-type"));
      const native = [...(await response.clone().formData())].map(([name, value]) => [
        name,
        typeof value === "string" ? undefined : value.name,
      ]);
      const parts = await read(response.body!, boundary);
      expect(parts.map(({ name, filename }) => [name, filename])).toEqual(native);
    }),
    { numRuns: 500 },
  );
});

/** The name and file name of a part with this header. */
async function described(disposition: string): Promise<[string, string | undefined]> {
  const text = `--b\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--b--`;
  const [part] = await read(streamOf(text), "b");
  return [part!.name, part!.filename];
}

test.each<[string, string, string | undefined]>([
  ['form-data; name="a;filename=x"', "a;filename=x", undefined],
  ['form-data; name="a\\"; filename="x"', "a\\", "x"],
  ['form-data; filename="; name=no"; name=yes', "yes", "; name=no"],
  ['form-data; name="file"; filename="a\u2028b\u2029.jsonl"', "file", "a\u2028b\u2029.jsonl"],
  ['form-data; name="say \\"hi\\""; filename="\\"x\\""', 'say "hi"', '"x"'],
  ["form-data; name=\"a\"; filename*=UTF-8''b", "a", "b"],
  [
    "form-data; name=file; filename=\"=?utf-8?B?ZMOpLmpzb25s?=\"; filename*=utf-8''d%C3%A9.jsonl",
    "file",
    "dé.jsonl",
  ],
  ['form-data; name="a"; filename*=utf-8\'fr\'%E0; filename="b"', "a", "b"],
  ['form-data; name="a"; filename="b"; filename*=KOI8-R\'\'%C1', "a", "b"],
  ["form-data; name*=UTF-8''no; name=\"a\"", "a", undefined],
  ['form-data; name=""; filename=""', "", ""],
  ['form-data; name="first"; name="second"', "first", undefined],
  ['form-data ;NAME=a ; FileName="b" ', "a", "b"],
  ['form-data; creation-date="; name=no"; flag; name="yes"', "yes", undefined],
  ['form-data; __proto__="x"; name="a"', "a", undefined],
])("%s", async (disposition, name, filename) => {
  expect(await described(disposition)).toEqual([name, filename]);
});

test("parameters of headers made to slow the parser down are read", async () => {
  for (const piece of ['\\" ', '\\"', ";", "; ", '"', " \t", ";a=", "%22"]) {
    const junk = piece.repeat(Math.floor(15_000 / piece.length));
    expect(await described(`form-data; x="${junk}"; name="a"`)).toBeDefined();
    expect((await described(`form-data; name="a"; ${junk}`))[0]).toBe("a");
  }
});

test("preamble, epilogue, padding, other headers and quoted quotes are understood", async () => {
  const text = [
    "This is a preamble.",
    "--b  ",
    'content-type: text/plain\r\nContent-Disposition: form-data; name="a \\"quoted\\" name"',
    "",
    "one",
    "--b",
    "Content-Disposition: form-data; filename=plain.jsonl; name=file",
    "",
    "--b-",
    "--b--",
    "an epilogue",
  ].join("\r\n");
  expect(await read(streamOf(text), "b")).toEqual([
    { name: 'a "quoted" name', filename: undefined, bytes: [...encode("one")] },
    { name: "file", filename: "plain.jsonl", bytes: [...encode("--b-")] },
  ]);
});

test("a header that is folded over several lines is read (RFC 5322, as Python's email package writes it)", async () => {
  const text =
    '--b\r\nContent-Disposition: form-data;\r\n name="file";\r\n\t filename="a b.jsonl"\r\nX-A: 1\r\n\r\none\r\n--b--';
  expect(await read(streamOf(text), "b")).toEqual([
    { name: "file", filename: "a b.jsonl", bytes: [...encode("one")] },
  ]);
});

test("a content that looks like the boundary for a while is content", async () => {
  const text = '--bound\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n--boun\r\n--bound--';
  for (let cut = 0; cut < text.length; cut++) {
    expect(await read(streamOf(text, [cut]), "bound")).toMatchObject([{ bytes: [...encode("\r\n--boun")] }]);
  }
});

test.each([
  ["an empty body", ""],
  ["no boundary at all", "hello"],
  ["a body that breaks off", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhal'],
  ["a part without a name", "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--"],
  ["a name without its quote", '--b\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n--b--'],
  ["endless headers", `--b\r\n${"X-Long: y\r\n".repeat(2000)}\r\n\r\n`],
])("%s is a 400", async (_, text) => {
  await expect(read(streamOf(text), "b")).rejects.toMatchObject({ status: 400, code: "invalid_multipart" });
});

test("a content type without a boundary is a 400", () => {
  for (const type of [null, "application/json", "multipart/form-data", "multipart/mixed; boundary=b"]) {
    expect(() => requireBoundary(type)).toThrow("multipart/form-data");
  }
  expect(requireBoundary('multipart/form-data; charset=utf-8; boundary="a b"')).toBe("a b");
});

test("leaving early cancels the stream", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(encode('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhello')),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const part of readMultipart(stream, "b")) {
    expect(part.name).toBe("a");
    break;
  }
  expect(cancelled).toBe(true);
});
