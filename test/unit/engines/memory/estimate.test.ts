import { expect, test } from "vitest";
import { embeddingMemory, estimateMemory } from "../../../../worker/engines/memory/estimate.ts";

test.each([
  [["onnx/model.onnx", "onnx/model_q4.onnx"]],
  [["model.onnx", "model_quantized.onnx"]],
  [["model.onnx_data", "model.onnx"]],
])("an embedding model takes the memory of its largest weights: %j", (names) => {
  const [largest, other] = names as [string, string];
  const known = [
    { name: largest, bytes: 1000 },
    { name: other, bytes: 10 },
    { name: "model.safetensors", bytes: 5000 },
  ];
  expect(embeddingMemory({ known }).bytes).toBe(estimateMemory(1000));
});
