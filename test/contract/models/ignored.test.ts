import { expect, test } from "vitest";
import { testApp } from "../../support/test-app.ts";

test("the list of models is whole, and names the parameters that it ignores", async () => {
  const { get } = await testApp();
  const all = await get("/v1/models");
  const some = await get("/v1/models?limit=1&after=infetch-tiny");
  expect(await some.json()).toEqual(await all.json());
  expect(some.headers.get("x-infetch-ignored-parameters")).toBe("limit, after");
  expect(all.headers.get("x-infetch-ignored-parameters")).toBeNull();
});
