/** Connect: code to copy, and the request log. */

import { expect, test } from "@playwright/test";
import { openPanel, useDemo } from "./demo-page.ts";

const demo = useDemo();

test("code for every client has a key that is valid where it runs, and the model; requests are logged, contents are not", async () => {
  const { page, look } = demo;
  await openPanel(demo, "embeddings");
  await page.getByLabel("What to look for").fill("a secret question");
  await page.keyboard.press("Enter");
  await page.locator(".hits").waitFor();

  await page.getByRole("link", { name: "Connect" }).click();
  const key = await page
    .locator("dd")
    .getByText(/^infetch-\w+-\w+$/)
    .textContent();
  const code = page.locator(".code-block");
  for (const [client, words] of [
    ["OpenAI SDK", "new OpenAI("],
    ["AI SDK", "createOpenAICompatible("],
    ["LangChain", "new ChatOpenAI("],
    ["Plain fetch", "runtime.fetch("],
    ["Global fetch", "install("],
    ["Service worker", "answerRequests("],
  ] as const) {
    await page.getByRole("button", { name: client, exact: true }).click();
    const shown = await code.textContent();
    expect(shown).toContain(words);
    // A runtime of an app does not know the key of this page.
    const startsRuntime = shown!.includes("createRuntime()");
    expect(shown!.includes(key!)).toBe(!startsRuntime);
    expect(shown!.includes("apiKey")).toBe(startsRuntime);
    expect(shown).toContain('"infetch-tiny"');
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy code" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());

  const log = page.getByRole("region", { name: "List of requests" });
  const row = log.getByRole("row", { name: /POST \/v1\/embeddings/ }).first();
  await expect.poll(() => row.textContent()).toContain("infetch-tiny-embed");
  expect(await row.getByRole("cell").allTextContents()).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    "POST /v1/embeddings",
    "200",
    "infetch-tiny-embed",
    expect.stringMatching(/^[\d.]+ m?s$/),
    expect.stringMatching(/^\d+$/),
    "0",
  ]);
  expect(await log.textContent()).not.toContain("secret question");
  await look("connect");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("No request yet").waitFor();
});

test("the code as it is copied answers in another tab of the origin", async () => {
  const { page, address } = demo;
  await openPanel(demo, "connect");
  const other = await page.context().newPage();
  await other.route("**/tab.html", (route) =>
    route.fulfill({ contentType: "text/html", body: '<body><script type="module" src="/code.js"></script>' }),
  );
  for (const [client, answer] of [
    ["Plain fetch", /^\S/],
    ["Global fetch", /"object":"chat.completion"/],
  ] as const) {
    await page.getByRole("button", { name: client, exact: true }).click();
    const copied = await page.locator(".code-block").textContent();
    // Resolve package names as a bundler does, and show the response in the page.
    const body = copied!
      .replaceAll(/"infetch(\/install)?"/g, (_, entry = "/index") => `"/infetch${entry}.js"`)
      .replace(
        "console.log(await response.json())",
        "document.body.append(JSON.stringify(await response.json()))",
      );
    await other.unroute("**/code.js");
    await other.route("**/code.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
    await other.goto(`${address}/tab.html`);
    await expect.poll(() => other.evaluate(() => document.body.innerText)).toMatch(answer);
  }
});
