/** Pages that cannot run a runtime fail at once; same-origin frames can run one. */

import type { Frame, Page } from "playwright";
import { chromium } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anyEngine, findChromium } from "../../scripts/browsers/chromium.ts";
import { listModels } from "./support/requests.ts";
import { startRuntime, Tabs } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

/** The error's code and message; `none` if a runtime starts. */
function refusalIn(page: Page | Frame, origin = ""): Promise<[code: string, message: string]> {
  return page.evaluate(
    `import("${origin}/package/index.js").then(({ createRuntime, isInfetchError }) =>
      createRuntime().then(() => ["none", ""], (error) => [isInfetchError(error) && error.code, error.message]))`,
  );
}

/** Adds a frame with these attributes. */
async function addFrame(page: Page, attributes: Record<string, string>): Promise<Frame> {
  await page.evaluate(async (given) => {
    const frame = document.createElement("iframe");
    for (const [name, value] of Object.entries(given)) frame.setAttribute(name, value);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    document.body.append(frame);
    await loaded;
  }, attributes);
  return page.frames().at(-1)!;
}

test("a page of the local network over http", async () => {
  const args = [...anyEngine, "--host-resolver-rules=MAP phone.test 127.0.0.1"];
  const browser = await chromium.launch({ executablePath: findChromium(), args });
  const page = await browser.newPage();
  const address = tabs.origin.replace("localhost", "phone.test");
  await page.goto(address);
  const [code, message] = await refusalIn(page);
  expect(code).toBe("insecure_context");
  expect(message).toContain(address);
  expect(message).toMatch(/https.*localhost/);
  await browser.close();
});

test.each([
  ["are missing", "delete Navigator.prototype.locks", "Update it."],
  [
    "refuse",
    "LockManager.prototype.request = () => Promise.reject(new DOMException('blocked', 'SecurityError'))",
    "third-party cookies",
  ],
])("a page whose Web Locks %s", async (_, script, remedy) => {
  await tabs.context.addInitScript(script);
  const [code, message] = await refusalIn(await tabs.newPage());
  expect(code).toBe("web_locks_unavailable");
  expect(message).toContain("Web Locks");
  expect(message).toContain(remedy);
});

test.each(["AbortSignal.any", "URL.canParse"])("a browser without %s", async (name) => {
  await tabs.context.addInitScript(`delete ${name}`);
  const [code, message] = await refusalIn(await tabs.newPage());
  expect(code).toBe("unsupported_browser");
  expect(message).toContain("Safari 17.4");
});

test("a sandboxed frame, which has no origin", async () => {
  await tabs.context.route("**/package/*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
  const page = await tabs.newPage();
  for (const attributes of [{ src: "/frame" }, { srcdoc: "<p>text</p>" }]) {
    const frame = await addFrame(page, { sandbox: "allow-scripts", ...attributes });
    const [code, message] = await refusalIn(frame, tabs.origin);
    expect(code).toBe("opaque_origin");
    expect(message).toContain("allow-same-origin");
  }
});

test.each<[string, Record<string, string>]>([
  ["srcdoc", { srcdoc: "<p>text</p>" }],
  ["srcdoc, sandboxed with allow-same-origin", { srcdoc: "", sandbox: "allow-scripts allow-same-origin" }],
  ["about:blank", {}],
])("a frame with its parent's origin runs as its parent does: %s", async (_, attributes) => {
  const page = await tabs.newTab();
  const frame = (await addFrame(page, attributes)) as unknown as Page;
  await startRuntime(frame);
  expect(await frame.evaluate("window.runtime.baseURL")).toBe(`${tabs.origin}/v1`);
  expect(await listModels(frame)).toBe(200);
});
