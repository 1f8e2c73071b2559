/** The networks of `tiny-network.ts` as ONNX files. */

import { OnnxGraph } from "./onnx-file.ts";
import {
  matrix,
  type NetworkOptions,
  positionTable,
  table,
  taskTable,
  VOCABULARY,
  WIDTH,
} from "./tiny-network.ts";

export function networkFile({
  seed = 1,
  output = "last_hidden_state",
  tasks,
  positions,
  isQuantized,
  batch,
  failsInBatch,
  hasOwnOutput,
}: NetworkOptions = {}): Buffer {
  const texts = [batch ?? "batch", "tokens"];
  const graph = new OnnxGraph();
  const ids = graph.input("input_ids", "int64", texts);
  const mask = graph.input("attention_mask", "int64", texts);
  let x = graph.add("Gather", [graph.constant("words", "float", [VOCABULARY, WIDTH], table(seed)), ids]);
  if (failsInBatch) x = graph.add("Reshape", [x, graph.constant("shape", "int64", [3], [1, -1, WIDTH])]);
  if (tasks !== undefined) {
    const task = graph.input("task_id", "int64", []);
    const rows = graph.constant("tasks", "float", [tasks, WIDTH], taskTable(tasks));
    x = graph.add("Add", [x, graph.add("Gather", [rows, task])]);
  }
  if (positions !== undefined) {
    const counted = graph.add("CumSum", [mask, graph.constant("one", "int64", [], [1])]);
    const places = graph.add("Add", [
      graph.add("Mul", [counted, mask]),
      graph.constant("padding", "int64", [], [1]),
    ]);
    const rows = graph.constant("positions", "float", [positions, WIDTH], positionTable(positions));
    x = graph.add("Add", [x, graph.add("Gather", [rows, places])]);
  }
  const seen = graph.add("Unsqueeze", [
    graph.add("Cast", [mask], { to: 1 }),
    graph.constant("last", "int64", [1], [2]),
  ]);
  const axis = graph.constant("axis", "int64", [1], [1]);
  const total = graph.add("ReduceSum", [graph.add("Mul", [x, seen]), axis], { keepdims: 1 });
  const mean = graph.add("Div", [total, graph.add("ReduceSum", [seen, axis], { keepdims: 1 })]);
  let h = graph.add("Add", [x, mean]);
  if (isQuantized) h = quantizedProduct(graph, h);
  graph.name(h, output);
  graph.output(output, "float", [...texts, WIDTH]);
  if (hasOwnOutput) {
    graph.name(graph.add("Squeeze", [mean, axis]), "sentence_embedding");
    graph.output("sentence_embedding", "float", [batch ?? "batch", WIDTH]);
  }
  return graph.file();
}

function quantizedProduct(graph: OnnxGraph, h: string): string {
  const quantized = graph.add("DynamicQuantizeLinear", [h], {}, 3);
  const weight = graph.constant("matrix", "int8", [WIDTH, WIDTH], matrix());
  const wholes = graph.add("MatMulInteger", [quantized, weight, `${quantized}:2`]);
  const scale = graph.add("Mul", [`${quantized}:1`, graph.constant("scale", "float", [], [1 / 127])]);
  return graph.add("Mul", [graph.add("Cast", [wholes], { to: 1 }), scale]);
}
