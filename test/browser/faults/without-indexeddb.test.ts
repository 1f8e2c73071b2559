/**
 * Pages where IndexedDB is missing, or denied as by "block all site data". `indexedDB` is a prototype accessor, so
 * deleting it from the global object has no effect. It is removed from the page and from the server worker.
 */

import { afterEach, expect, test } from "vitest";
import { chromiumArguments } from "../../../scripts/browsers/chromium.ts";
import { ends } from "../../faults/support/watchdog.ts";
import { type FaultyPage, openPage, send } from "./support/page.ts";

let opened: FaultyPage;

afterEach(() => opened?.close());

const chat = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], max_tokens: 4 };
const embedding = { model: "infetch-tiny-embed", input: "Hello!" };

test.each([
  ["is undefined", 'Object.defineProperty(globalThis, "indexedDB", { value: undefined });\n'],
  [
    "throws SecurityError",
    'IDBFactory.prototype.open = () => { throw new DOMException("Access is denied.", "SecurityError"); };\n',
  ],
  [
    "fails to open",
    `IDBFactory.prototype.open = () => {
      const request = new EventTarget();
      request.error = new DOMException("A mutation operation was attempted.", "InvalidStateError");
      queueMicrotask(() => request.dispatchEvent(new Event("error")));
      return request;
    };\n`,
  ],
])(
  "where IndexedDB %s models answer, keys last for the visit, and what is stored says why not",
  async (_, script) => {
    opened = await openPage((page) => page.addInitScript(script), chromiumArguments, {
      "/worker/server.js": (code) => script + code,
    });
    const { page } = opened;
    await page.evaluate("globalThis.told = []; runtime.on('ledger', (event) => told.push(event))");
    const ask = (path: string, body?: object) => ends(path, send(page, path, body));
    const call = (code: string) => ends(code, page.evaluate(`(async () => runtime.${code})()`));
    const refusal = (code: string): Promise<string> =>
      ends(code, page.evaluate(`runtime.${code}.then(() => "answered", (error) => error.code)`));

    for (const [path, body] of [
      ["/models", undefined],
      ["/chat/completions", chat],
      ["/embeddings", embedding],
    ] as const)
      expect((await ask(path, body)).status, path).toBe(200);
    // The failed write was reported.
    const failed = { type: "ledger", state: "write_failed", code: "ledger_unavailable" };
    await page.waitForFunction("told.length > 0");
    expect(await page.evaluate("told")).toContainEqual(failed);

    const days = "starting_on=2025-01-01T00:00:00Z&ending_before=2025-01-03T00:00:00Z";
    const stored = [
      ["/billing/invoices", 502, "ledger_unavailable"],
      ["/billing/invoices/current", 502, "ledger_unavailable"],
      ["/billing/invoices/inv_202501_0_default", 502, "ledger_unavailable"],
      [`/billing/invoices/breakdowns?${days}`, 502, "ledger_unavailable"],
      ["/files", 503, "storage_unavailable"],
      ["/batches", 503, "storage_unavailable"],
    ] as const;
    for (const [path, status, code] of stored) {
      const { status: answered, body } = await ask(path);
      expect([answered, body.error?.code], path).toEqual([status, code]);
      expect(body.error?.message, path).toContain("allow this site to store data");
    }
    for (const code of ["billing.verify()", "billing.rebuild()", "billing.exportUsage()", "usage.list()"])
      expect(await refusal(code), code).toBe("ledger_unavailable");

    // A key lasts as long as the page, with a warning.
    const made = (await call("keys.create({ name: 'app' })")) as {
      apiKey: string;
      warning: { code: string };
    };
    expect(made.warning.code).toBe("key_not_stored");
    expect(await call("keys.list()")).toMatchObject([{ name: "app", stored: false }]);
    // So does a deployment.
    const deployed = (await call(
      "deployments.create({ name: 'bot', model: 'infetch-tiny' })",
    )) as typeof made;
    expect(deployed.warning.code).toBe("deployment_not_stored");
    expect((await ask("/chat/completions", { ...chat, model: "bot" })).status).toBe(200);
    expect(await call("deployments.list()")).toMatchObject([{ name: "bot" }]);
    const withIt = page.evaluate(
      `runtime.fetch(runtime.baseURL + "/models", { headers: { authorization: "Bearer ${made.apiKey}" } })
      .then(({ status }) => status)`,
    );
    expect(await ends("a request with the key", withIt)).toBe(200);
  },
);
