import { describe, expect, test } from "vitest";
import {
  describeKernels,
  type Kernel,
  listVariants,
  parseKernel,
  readKernels,
} from "../../../models/library/generator/kernels.ts";
import { declaredConstants, evaluate } from "../../../models/library/generator/wgsl-constants.ts";
import { unrollLoops } from "../../../models/library/generator/wgsl-unroll.ts";
import { TEST_MODELS } from "../../browser/model-library/support/architectures.ts";

describe("constants of a kernel", () => {
  test("are evaluated with precedence, parentheses and whole division", () => {
    expect(evaluate("(A + 3u) / 4u * B - 1", { A: 10, B: 2 })).toBe(5);
  });
  test("may use the ones before them; fractions are left to WGSL", () => {
    const source = "const ROWS = WIDTH / 4u;\nconst TILES = ROWS * 2u;\nconst NEVER = -1e30;\n";
    expect(declaredConstants(source, { WIDTH: 16 })).toEqual({ ROWS: 4, TILES: 8 });
  });
  test("an unknown name is an error that names it", () => {
    expect(() => evaluate("4u * OTHER", {})).toThrow(/OTHER is not a constant/);
  });
});

describe("unrolling", () => {
  test("repeats marked loops, nested ones too, and leaves others alone", () => {
    const source = [
      "for (var k = 0u; k < N; k++) {",
      "for (var a = 0u; a < 2u; a++) { // unroll",
      "for (var b = 0u; b < N; b++) { // unroll",
      "sum[a * N + b] += row[k];",
      "}",
      "}",
      "}",
    ].join("\n");
    const unrolled = unrollLoops(source, { N: 2 });
    expect(unrolled.match(/sum\[\du \* N \+ \du\]/g)).toEqual([
      "sum[0u * N + 0u]",
      "sum[0u * N + 1u]",
      "sum[1u * N + 0u]",
      "sum[1u * N + 1u]",
    ]);
    expect(unrolled).toContain("for (var k = 0u; k < N; k++) {");
    expect(unrolled).not.toContain("unroll");
  });
  test("a missing brace is an error", () => {
    expect(() => unrollLoops("for (var i = 0u; i < 2u; i++) { // unroll\n x;", {})).toThrow(/closing brace/);
  });
});

describe("variants", () => {
  test("of a file are kernels of their own that differ in one constant", () => {
    const text = "// variants TOKENS = 2, 4\nconst TOKENS = 1u;\nconst ROWS = 2u;\nfn twice() {}\n";
    const variant = (value: number) => ({
      name: `twice_${value}`,
      value,
      text: `// variants TOKENS = 2, 4\nconst TOKENS = ${value}u;\nconst ROWS = 2u;\nfn twice_${value}() {}\n`,
    });
    expect(listVariants("twice", text)).toEqual([{ name: "twice", text }, variant(2), variant(4)]);
  });
  test.each([2, 4, 8])(
    "every decode kernel with weights has one for %i tokens, launched like the first",
    (tokens) => {
      const kernels = new Map(readKernels(TEST_MODELS.alpha).map((kernel) => [kernel.name, kernel]));
      for (const name of ["decode_qkv", "decode_project", "decode_gate_up", "logits"]) {
        const [one, several] = [kernels.get(name)!, kernels.get(`${name}_${tokens}`)!];
        expect([one.constants.TOKENS, several.constants.TOKENS]).toEqual([1, tokens]);
        expect([one.variant, several.variant]).toEqual([undefined, { of: name, value: tokens }]);
        expect([several.buffers, several.scalars, several.workgroupSize]).toEqual([
          one.buffers,
          one.scalars,
          one.workgroupSize,
        ]);
      }
    },
  );
});

describe("a kernel's declarations", () => {
  const head =
    "@group(0) @binding(0) var<storage, read> a: array<f32>;\n@group(0) @binding(1) var<storage, read_write> b: array<f32>;\n";
  const tail = "@compute @workgroup_size(8)\nfn twice(@builtin(global_invocation_id) id: vec3u) {}\n";
  const uniform =
    "struct Arguments { count: u32, factor: f32, gridX: u32 }\n@group(0) @binding(2) var<uniform> arguments: Arguments;\n";

  test("become web-llm's description and the list of launch parameters", () => {
    const kernel = parseKernel("twice", head + uniform + tail, TEST_MODELS.alpha);
    expect(kernel.workgroupSize).toBe(8);
    expect(kernel.scalars.map(({ name }) => name)).toEqual(["count", "factor"]);
    expect(JSON.parse(describeKernels([kernel]))).toEqual({
      twice: {
        name: "twice",
        arg_types: ["handle", "handle", "uint32", "float32"],
        launch_param_tags: ["blockIdx.x", "blockIdx.y", "paramWriteAccess:[0,1]"],
      },
    });
  });
  test.each<[string, string, RegExp]>([
    [
      "another entry point",
      head + uniform + tail.replace("twice", "thrice"),
      /entry point must be named twice/,
    ],
    [
      "a gap in the bindings",
      head.replace("binding(1)", "binding(3)") + uniform + tail,
      /bindings must count up/,
    ],
    ["no gridX at the end", head + uniform.replace(", gridX: u32", "") + tail, /ends in gridX/],
    [
      "a vector as scalar",
      head + uniform.replace("factor: f32", "factor: vec2f") + tail,
      /factor must be u32, i32 or f32/,
    ],
  ])("%s is an error", (_, text, message) => {
    expect(() => parseKernel("twice", text, TEST_MODELS.alpha)).toThrow(message);
  });
});

describe("the library's kernels", () => {
  const kernels = readKernels(TEST_MODELS.alpha);
  test.each(kernels.map((kernel): [string, Kernel] => [kernel.name, kernel]))(
    "%s is plain ASCII within WebGPU's limits",
    (_, kernel) => {
      expect(/^[\x20-\x7e\n]*$/.test(kernel.source)).toBe(true);
      expect(kernel.source).not.toMatch(/\/\/|enable f16|textureLoad/);
      // web-llm requests 10 storage buffers per stage; every WebGPU device supports 8.
      expect(kernel.buffers.length).toBeLessThanOrEqual(8);
      expect(kernel.buffers.some(({ writable }) => writable)).toBe(true);
      expect(kernel.workgroupSize).toBeLessThanOrEqual(256);
    },
  );
});
