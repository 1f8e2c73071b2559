import type { Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post, startRuntime } from "../support/runtime.ts";

let runtime: Runtime;
beforeAll(async () => {
  ({ runtime } = await startRuntime({ strict: true }));
});
afterAll(() => runtime.close());

test("strict: true makes an absent store a 400", async () => {
  const response = await post(runtime, "/responses", { model: "infetch-tiny", input: "Hello!" });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param: "store", code: "missing_required_parameter" });
});
