import { expect, test } from "vitest";
import { type MetadataValue, writeGguf } from "../../../../models/gguf/gguf-file.ts";
import { parseMetadata, readMetadata } from "../../../../worker/model-store/gguf/metadata.ts";
import { requireChatModel } from "../../../../worker/model-store/gguf/model-kind.ts";
import { allParts, requireAllParts } from "../../../../worker/model-store/gguf/parts.ts";
import { fc } from "../../../support/random.ts";

const string = fc.string({ unit: "grapheme", maxLength: 20 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const value: fc.Arbitrary<MetadataValue> = fc.oneof(
  fc.record({ type: fc.constant("uint16" as const), value: fc.nat(65_535) }),
  fc.record({ type: fc.constant("uint32" as const), value: fc.nat() }),
  fc.record({ type: fc.constant("int32" as const), value: int32 }),
  fc.record({ type: fc.constant("float32" as const), value: fc.float({ noNaN: true }) }),
  fc.record({ type: fc.constant("bool" as const), value: fc.boolean() }),
  fc.record({ type: fc.constant("string" as const), value: string }),
  fc.record({
    type: fc.constant("array" as const),
    of: fc.constant("string" as const),
    values: fc.array(string),
  }),
  fc.record({
    type: fc.constant("array" as const),
    of: fc.constant("int32" as const),
    values: fc.array(int32),
  }),
);
const metadata = fc.dictionary(string, value, { maxKeys: 8, noNullPrototype: true });

test("what was written is read again, and a file that ends early is known as such", async () => {
  await fc.assert(
    fc.asyncProperty(metadata, fc.nat(), async (written, cut) => {
      const bytes = writeGguf(written, []);
      const read = await readMetadata(new Blob([bytes as Uint8Array<ArrayBuffer>]));
      const expected = Object.entries(written).map(([key, one]) => [
        key,
        "values" in one ? one.values : one.value,
      ]);
      expect([...read]).toEqual(expected);
      const part = parseMetadata(bytes.subarray(0, cut % bytes.byteLength));
      expect([...part.values]).toEqual(expected.slice(0, part.values.size));
      if (part.values.size < expected.length) expect(part.complete).toBe(false);
    }),
  );
});

test("a byte order mark is part of its token", async () => {
  const tokens = ["\uFEFF", "\uFEFFa"];
  const bytes = writeGguf({ tokens: { type: "array", of: "string", values: tokens } }, []);
  expect(parseMetadata(bytes).values.get("tokens")).toEqual(tokens);
});

test("any other bytes are refused as no GGUF, or as one that ends early, and never read for ever", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (noise, hasMagic) => {
      const bytes = hasMagic
        ? Uint8Array.from([...new TextEncoder().encode("GGUF"), 3, 0, 0, 0, ...noise])
        : noise;
      await readMetadata(new Blob([bytes])).then(
        (values) => expect(values.size).toBeLessThan(20),
        (error) => expect(error).toMatchObject({ code: "model_load_failed" }),
      );
    }),
  );
});

test("a model of which the first part is named has all its parts; any other list stays", () => {
  const sha256 = "ab";
  expect(allParts([{ name: "q4/m-00001-of-00003.gguf", bytes: 5, sha256 }])).toEqual([
    { name: "q4/m-00001-of-00003.gguf", bytes: 5, sha256 },
    { name: "q4/m-00002-of-00003.gguf", bytes: 0 },
    { name: "q4/m-00003-of-00003.gguf", bytes: 0 },
  ]);
  const [, second] = allParts([{ name: "M-00001-of-00002.GGUF", bytes: 5 }]);
  expect(second).toEqual({ name: "M-00002-of-00002.GGUF", bytes: 0 });
  for (const names of [["m.gguf"], ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]]) {
    const parts = names.map((name) => ({ name, bytes: 1 }));
    expect(allParts(parts)).toBe(parts);
  }
});

test("a later part is refused, and the first one is named", () => {
  expect(() => allParts([{ name: "q4/m-00002-of-00003.gguf", bytes: 1 }])).toThrow(
    "'q4/m-00002-of-00003.gguf' is part 2 of 3 of a model. Name the first part, 'q4/m-00001-of-00003.gguf'.",
  );
});

test.each([
  [1, {}],
  [1, { "split.count": 0 }],
  [3, { "split.count": 3 }],
])("%i files are all parts of one model with %j", (files, metadata) => {
  expect(() => requireAllParts(new Map(Object.entries(metadata)), files)).not.toThrow();
});

test.each([
  [2, {}, "The model has 2 GGUF files, and the first of them is a whole model."],
  [1, { "split.count": 3 }, "The model has 1 GGUF file, which is one of 3 parts of a model."],
  [4, { "split.count": 3 }, "is one of 3 parts of a model."],
])("%i files of a model with %j are refused", (files, metadata, message) => {
  const refused = () => requireAllParts(new Map(Object.entries(metadata)), files);
  expect(refused).toThrow(expect.objectContaining({ code: "model_load_failed" }));
  expect(refused).toThrow(message);
});

test("a number of parts that no model has is refused, and none means one file", () => {
  const none = [{ name: "m-00001-of-00000.gguf", bytes: 1 }];
  expect(allParts(none)).toBe(none);
  expect(() => allParts([{ name: "m-00001-of-99999.gguf", bytes: 1 }])).toThrow(/99999 parts/);
});

test("lists of more elements than any model has are refused before they are read", () => {
  const list = { type: "array" as const, of: "int32" as const, values: [1] };
  const bytes = writeGguf({ a: list, b: list }, []);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  // The length of the last list, in front of its element; the bytes after it are its elements.
  const length = 2 ** 22;
  const at = new TextDecoder("latin1").decode(bytes).lastIndexOf("b") + 1 + 4 + 4;
  view.setUint32(at, length, true);
  const whole = new Uint8Array(at + 8 + 4 * length);
  whole.set(bytes.subarray(0, at + 12));
  expect(() => parseMetadata(whole)).toThrow(/lists have more than 4194304 elements/);
});

test("a list that claims more values than the file has bytes is refused before it is read", async () => {
  const bytes = writeGguf({ list: { type: "array", of: "int32", values: [1] } }, []);
  const at = Buffer.from(bytes).indexOf("list") + "list".length + 4 + 4;
  new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(at, 2n ** 60n, true);
  const padded = new Blob([bytes as Uint8Array<ArrayBuffer>, new Uint8Array(80 * 2 ** 20)]);
  await expect(readMetadata(padded)).rejects.toThrow(/does not end within 64 MiB/);
});

test.each([
  [{ "general.architecture": "bert" }, false],
  [{ "general.architecture": "nomic-bert-moe" }, false],
  [{ "general.architecture": "qwen3", "qwen3.pooling_type": 3 }, false],
  [{ "general.architecture": "llama", "llama.pooling_type": 0 }, true],
  [{ "general.architecture": "qwen2" }, true],
])("%j makes text: %s", (values, isChat) => {
  const check = () => requireChatModel(new Map<string, string | number>(Object.entries(values)));
  if (isChat) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "model_not_found", param: "model" }));
});

test.each(["t5", "bert"])(
  "no chat model has the vocabulary %s: its decoder needs an encoder",
  (vocabulary) => {
    const values = { "general.architecture": "t5", "tokenizer.ggml.model": vocabulary };
    expect(() => requireChatModel(new Map(Object.entries(values)))).toThrow(
      expect.objectContaining({ code: "unsupported_model", param: "model" }),
    );
  },
);
