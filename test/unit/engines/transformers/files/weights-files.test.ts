import { describe, expect, test } from "vitest";
import {
  chooseDtype,
  dtypesAmong,
  isPartOf,
  libraryNames,
  weightsFile,
} from "../../../../../worker/engines/transformers/files/weights-files.ts";

const named = (...names: string[]) => names.map((name) => ({ name }));

/** As published by sentence-transformers for its own models. */
const OF_SENTENCE_TRANSFORMERS = named(
  "onnx/model.onnx",
  "onnx/model_O1.onnx",
  "onnx/model_O2.onnx",
  "onnx/model_O3.onnx",
  "onnx/model_O4.onnx",
  "onnx/model_qint8_arm64.onnx",
  "onnx/model_qint8_avx512.onnx",
  "onnx/model_qint8_avx512_vnni.onnx",
  "onnx/model_quint8_avx2.onnx",
  "openvino/openvino_model.xml",
);

describe("the weights of a dtype", () => {
  test.each([
    ["files that are not known", [], "fp32", "onnx/model.onnx"],
    ["files that are not known", [], "q8", "onnx/model_quantized.onnx"],
    [
      "transformers.js's names",
      named("onnx/model.onnx", "onnx/model_q4.onnx", "onnx/model_bnb4.onnx"),
      "q4",
      "onnx/model_q4.onnx",
    ],
    ["the root", named("model.onnx", "model_quantized.onnx"), "q8", "model_quantized.onnx"],
    [
      "onnx/ before the root",
      named("model.onnx", "onnx/model.onnx", "x/model.onnx"),
      "fp32",
      "onnx/model.onnx",
    ],
    ["another folder", named("v2/onnx/model_fp16.onnx"), "fp16", "v2/onnx/model_fp16.onnx"],
    [
      "a name for 8 bits",
      named("onnx/model.onnx", "onnx/model_uint8.onnx", "onnx/model_int8.onnx"),
      "q8",
      "onnx/model_int8.onnx",
    ],
    ["the best of them", named("onnx/model_int8.onnx", "model_quantized.onnx"), "q8", "model_quantized.onnx"],
    ["a name for a processor", OF_SENTENCE_TRANSFORMERS, "q8", "onnx/model_qint8_arm64.onnx"],
    ["a plain name", OF_SENTENCE_TRANSFORMERS, "fp32", "onnx/model.onnx"],
    [
      "a single network of another name",
      named("model_optimized.onnx", "config.json"),
      "fp32",
      "model_optimized.onnx",
    ],
    ["its 8 bits", named("m.onnx", "m_quantized.onnx"), "q8", "m_quantized.onnx"],
    [
      "an encoder",
      named("onnx/encoder_model.onnx", "onnx/decoder_model_merged.onnx"),
      "fp32",
      "onnx/encoder_model.onnx",
    ],
  ] as const)("with %s", (_, files, dtype, expected) => {
    expect(weightsFile(dtype, files)).toBe(expected);
  });

  test.each([
    ["another format", named("openvino/openvino_model.onnx", "model.safetensors")],
    ["two networks", named("onnx/text_model.onnx", "onnx/other_model.onnx")],
    ["networks of other inputs", named("onnx/vision_model.onnx", "onnx/audio_model.onnx")],
    ["formats that do not run here", named("onnx/model_bnb4.onnx", "onnx/model_q1.onnx")],
  ])("is none among %s", (_, files) => {
    expect(dtypesAmong(files)).toEqual([]);
  });

  test("are listed best first", () => {
    expect(dtypesAmong(OF_SENTENCE_TRANSFORMERS)).toEqual(["fp32", "q8"]);
    expect(dtypesAmong(named("onnx/model_q4f16.onnx", "onnx/model_fp16.onnx"))).toEqual(["fp16", "q4f16"]);
  });
});

test("other weights take the place of the usual ones only where there are none of these", () => {
  const choose = (wanted: "q8" | "fp32", ...names: string[]) =>
    chooseDtype(wanted, ["q8", "fp32"], named(...names));
  expect(choose("q8", "onnx/model.onnx", "onnx/model_q4.onnx")).toBe("q8");
  expect(choose("q8", "onnx/model_q4f16.onnx", "onnx/model_fp16.onnx")).toBe("fp16");
  expect(choose("fp32", "onnx/model_q4f16.onnx", "onnx/model_fp16.onnx")).toBe("q4f16");
  expect(choose("fp32", "onnx/model_fp16.onnx")).toBe("fp32");
  expect(choose("q8")).toBe("q8");
});

test.each([
  ["onnx/model_quantized.onnx", "q8", { subfolder: "onnx", model_file_name: "model", dtype: "q8" }],
  ["model_fp16.onnx", "fp16", { subfolder: "", model_file_name: "model", dtype: "fp16" }],
  ["a/b/model_int8.onnx", "q8", { subfolder: "a/b", model_file_name: "model_int8", dtype: "fp32" }],
  ["model_optimized.onnx", "fp32", { subfolder: "", model_file_name: "model_optimized", dtype: "fp32" }],
] as const)("transformers.js is asked for %s as %s", (name, dtype, expected) => {
  expect(libraryNames(name, dtype)).toEqual(expected);
});

test.each([
  ["onnx/model.onnx", "onnx/model.onnx_data", true],
  ["onnx/model.onnx", "onnx/model.onnx_data_1", true],
  ["onnx/model_fp16.onnx", "onnx/model_fp16.onnx.data", true],
  ["onnx/model_q4.onnx", "onnx/model.onnx_data", false],
  ["onnx/model.onnx", "onnx/model_q4.onnx_data", false],
  ["onnx/model.onnx", "onnx/model.onnx", false],
  // BAAI/bge-m3, and exports of PyTorch whose tensors are not in one file.
  ["onnx/model.onnx", "onnx/Constant_7_attr__value", true],
  ["onnx/model.onnx", "onnx/encoder.layer.0.output.dense.bias", true],
  ["onnx/model.onnx", "onnx/config.json", false],
  ["onnx/model.onnx", "onnx/.gitattributes", false],
  ["onnx/model.onnx", "onnx/more/Constant_7_attr__value", false],
  ["onnx/model_quantized.onnx", "onnx/Constant_7_attr__value", false],
  ["model.onnx", "LICENSE", false],
])("of %s, %s is a part: %s", (weights, name, expected) => {
  expect(isPartOf(weights, name)).toBe(expected);
});
