import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildModelLibrary, listParameters } from "../../../models/library/build.ts";
import {
  describeModel,
  MAX_BATCH,
  validateArchitecture,
} from "../../../models/library/generator/architecture.ts";
import { compileLibrary } from "../../../models/library/generator/compile.ts";
import { generateConstants } from "../../../models/library/generator/generate.ts";
import { readKernels } from "../../../models/library/generator/kernels.ts";
import { TEST_MODELS } from "../../browser/model-library/support/architectures.ts";

/** Exports that web-llm 0.2.86 reads from the instance. */
const REQUIRED_EXPORTS = [
  "memory",
  "_initialize",
  "TVMWasmAllocSpace",
  "TVMWasmFreeSpace",
  "TVMFFIWasmGetLastError",
  "TVMFFIErrorSetRaisedFromCStr",
  "TVMFFIFunctionGetGlobal",
  "TVMFFIFunctionSetGlobal",
  "TVMFFIFunctionCall",
  "TVMFFIWasmFunctionCreate",
  "TVMFFIObjectIncRef",
  "TVMFFIObjectDecRef",
  "TVMFFIAnyViewToOwnedAny",
  "TVMFFITypeKeyToIndex",
];

describe("the compiled library", () => {
  const outFile = join(mkdtempSync(join(tmpdir(), "model-library-")), "nested/library.wasm");
  const generated = generateConstants(TEST_MODELS.beta, readKernels(TEST_MODELS.beta));
  let module: WebAssembly.Module;
  beforeAll(async () => {
    const { bytes } = await buildModelLibrary({ architecture: TEST_MODELS.beta, outFile });
    const binary = readFileSync(outFile);
    expect(binary.length).toBe(bytes);
    module = await WebAssembly.compile(binary);
  });

  test("exports what web-llm calls", () => {
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(REQUIRED_EXPORTS));
  });
  test("imports only the two functions that web-llm's runtime offers for callbacks", () => {
    const names = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
    expect(names.sort()).toEqual(["env.TVMFFIWasmFunctionDeleter", "env.TVMFFIWasmSafeCall"]);
  });
  test("has the same bytes every time", async () => {
    expect(Buffer.from(await compileLibrary(generated)).equals(readFileSync(outFile))).toBe(true);
  });
  test("a mistake in the source is reported with its place", async () => {
    await expect(compileLibrary(`${generated}\nexport const broken: i32 = "text";`)).rejects.toThrow(
      /generated\.ts/,
    );
  });
});

describe("architecture", () => {
  test.each([
    [{ hidden: 60 }, /hidden must be a multiple of 8/],
    [{ heads: 5 }, /heads must be a multiple of kvHeads/],
    [{ layers: 0 }, /layers must be a positive whole number/],
    [{ rmsEps: 0 }, /must be positive/],
  ])("%o is refused", (change, message) => {
    expect(() => validateArchitecture({ ...TEST_MODELS.alpha, ...change })).toThrow(message);
  });
  test("a tied embedding has no head of its own", () => {
    const names = (tiedEmbedding: boolean) =>
      listParameters({ ...TEST_MODELS.alpha, tiedEmbedding }).map(({ name }) => name);
    expect(names(true)).not.toContain("lm_head.weight");
    expect(names(false).at(-1)).toBe("lm_head.weight");
  });
  test("the metadata lists parameters in the order of the weights", () => {
    const metadata = JSON.parse(describeModel(TEST_MODELS.alpha)) as {
      params: { name: string }[];
      prefill_chunk_size: number;
      max_batch_size: number;
    };
    expect(metadata.params.map(({ name }) => name)).toEqual(
      listParameters(TEST_MODELS.alpha).map(({ name }) => name),
    );
    expect(metadata.prefill_chunk_size).toBe(TEST_MODELS.alpha.prefillChunk);
    expect(metadata.max_batch_size).toBe(MAX_BATCH);
  });
});
