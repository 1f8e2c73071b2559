/** Server chunks that do not load: the package was copied incompletely, or the page is offline. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { ends } from "../../faults/support/watchdog.ts";
import { type FaultyPage, openPage, send, startRuntime } from "./support/page.ts";

let opened: FaultyPage;
let isMissing: boolean;

/** Lazily loaded chunks; excludes the entry's static imports, such as `server-core-*.js`. */
const PARTS =
  /\/worker\/server-([a-z]+-handler|more-fields|invalid-value|model-names|routing-errors|constrained|batches|billing|deployments|keys|models|start-in-browser)-[\w-]+\.js$/;

beforeEach(async () => {
  isMissing = true;
  opened = await openPage((page) =>
    page.context().route(PARTS, (route) => (isMissing ? route.fulfill({ status: 404 }) : route.continue())),
  );
});
afterEach(() => opened?.close());

/** A response's status, and its error code, if any. */
async function outcome(path: string, request?: object): Promise<[status: number, code: string | undefined]> {
  const { status, body } = await ends(path, send(opened.page, path, request));
  return [status, body.error?.code];
}

const messages = [{ role: "user", content: "Hello!" }];
const chat = { model: "infetch-tiny", messages, max_tokens: 4 };
const json = { ...chat, response_format: { type: "json_object" } };
const embedding = { model: "infetch-tiny-embed", input: "Hello!" };

test("whatever needs a part says so by a code, and all else goes on", async () => {
  const missing = [503, "part_unavailable"];
  expect(await outcome("/chat/completions", chat)).toEqual([200, undefined]);
  expect(await outcome("/chat/completions", json)).toEqual(missing);
  expect(await outcome("/embeddings", embedding)).toEqual(missing);
  expect(await outcome("/responses", { model: "infetch-tiny", input: "Hello!" })).toEqual(missing);
  expect(await outcome("/batches")).toEqual(missing);
  expect(await outcome("/billing/invoices")).toEqual(missing);
  expect(await outcome("/models")).toEqual(missing);
  expect(await outcome("/nothing")).toEqual(missing);
  expect(await outcome("/chat/completions", { ...chat, model: "nothing" })).toEqual(missing);
  expect(await outcome("/chat/completions", { ...chat, temperature: 3 })).toEqual(missing);
  for (const call of ["keys.list()", "models.cached()", "deployments.list()", "billing.verify()"]) {
    const code = opened.page.evaluate(`runtime.${call}.then(() => "answered", (error) => error.code)`);
    expect(await ends(call, code)).toBe("part_unavailable");
  }
  expect(await outcome("/chat/completions", chat)).toEqual([200, undefined]);
});

test("once the files are there, a page that is loaded again has all of it", async () => {
  expect(await outcome("/embeddings", embedding)).toEqual([503, "part_unavailable"]);
  isMissing = false;
  await opened.page.reload();
  await startRuntime(opened.page);
  expect(await outcome("/embeddings", embedding)).toEqual([200, undefined]);
  expect(await outcome("/chat/completions", json)).toEqual([200, undefined]);
  expect(await outcome("/batches")).toEqual([200, undefined]);
  expect(await outcome("/models")).toEqual([200, undefined]);
  expect(await outcome("/nothing")).toEqual([404, "unknown_url"]);
  expect(await outcome("/chat/completions", { ...chat, model: "nothing" })).toEqual([404, "model_not_found"]);
  expect(await outcome("/chat/completions", { ...chat, temperature: 3 })).toEqual([
    400,
    "decimal_above_max_value",
  ]);
  expect(await ends("keys.list()", opened.page.evaluate("runtime.keys.list()"))).toEqual([]);
});
