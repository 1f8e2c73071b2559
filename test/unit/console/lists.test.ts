/** Lists of files and batches: more than a page of them. */

import { afterEach, expect, test, vi } from "vitest";

let runtime: object;
vi.mock("infetch", () => ({ createRuntime: async () => runtime }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("a list says that there is more, and grows by a page; a refresh keeps its length", async () => {
  const stored = Array.from({ length: 120 }, (_, at) => ({ id: `file-${at}` }));
  const answer = async (address: string): Promise<Response> => {
    const { searchParams } = new URL(address);
    const after = stored.findIndex(({ id }) => id === searchParams.get("after"));
    const data = stored.slice(after + 1, after + 1 + Number(searchParams.get("limit")));
    return Response.json({ object: "list", data, has_more: data.at(-1) !== stored.at(-1) });
  };
  vi.stubGlobal("isSecureContext", true);
  runtime = { on: () => () => {}, apiKey: "key", baseURL: "https://app.test/v1", fetch: answer };
  await (await import("../../../demo/store/runtime.ts")).startRuntime();
  const { batches, files } = await import("../../../demo/panels/batches/store.ts");
  await files.refresh();
  expect(files.value).toMatchObject({ hasMore: true, items: { length: 50 } });
  await files.showMore();
  expect(files.value).toMatchObject({ hasMore: true, items: { length: 100 } });
  await files.showMore();
  expect(files.value).toEqual({ hasMore: false, items: stored });
  stored.shift();
  await files.refresh();
  expect(files.value).toEqual({ hasMore: false, items: stored });
  await batches.refresh();
  expect(batches.value?.hasMore).toBe(true);
});
