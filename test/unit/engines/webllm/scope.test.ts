import { expect, test } from "vitest";
import type { Runtime } from "../../../../worker/engines/webllm/tvm/pipeline.ts";
import { withScope } from "../../../../worker/engines/webllm/tvm/scope.ts";

function countingRuntime() {
  const counted = { depth: 0, beginScope: () => void counted.depth++, endScope: () => void counted.depth-- };
  return counted as typeof counted & Runtime;
}

test("a scope ends with its work, also where it throws", () => {
  const tvm = countingRuntime();
  expect(withScope(tvm, () => tvm.depth)).toBe(1);
  expect(() =>
    withScope(tvm, () => {
      throw new Error("lost");
    }),
  ).toThrow("lost");
  expect(tvm.depth).toBe(0);
});

test("a scope cannot span an await", () => {
  const tvm = countingRuntime();
  const later = (async () => 1) as unknown as () => number;
  expect(() => withScope(tvm, later)).toThrow("must not span an await");
  expect(tvm.depth).toBe(0);
});
