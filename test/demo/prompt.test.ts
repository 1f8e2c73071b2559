/** The console's chat: the prompt of the conversation on the screen. */

import { expect, type Page, test } from "@playwright/test";
import { holdRequests, openPanel, say, useDemo } from "./demo-page.ts";

const demo = useDemo();
const dialog = () => demo.page.getByRole("dialog", { name: "Prompt" });
const prompt = () => dialog().getByRole("region", { name: "Text of the prompt" }).locator("pre");
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });

const HOSTILE = '<b>x</b> <img src=x onerror="alert(1)"> & </pre><script>alert(1)</script>';
const SYSTEM = "Answer in <i>one</i> word.";

async function show(): Promise<void> {
  await button("Show prompt").click();
  await prompt().waitFor({ timeout: 120_000 });
}

async function facts(): Promise<Record<string, string>> {
  const rows = await dialog()
    .locator("dl > div")
    .evaluateAll((all) =>
      all.map((row) => [row.querySelector("dt")!.textContent, row.querySelector("dd")!.textContent] as const),
    );
  return Object.fromEntries(rows) as Record<string, string>;
}

/** What the API answers to `body`, asked by another client of the same server. */
async function render(page: Page, body: object) {
  // As text: the address is the page's, not TypeScript's.
  await page.evaluate(`import("/infetch/index.js").then((module) => { window.infetch = module; })`);
  return page.evaluate(async (sent) => {
    const { createRuntime } = (window as unknown as { infetch: typeof import("infetch") }).infetch;
    const runtime = await createRuntime();
    const response = await runtime.fetch(`${runtime.baseURL}/chat/completions/render`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "infetch-tiny", ...sent }),
    });
    return (await response.json()) as {
      prompt: string;
      prompt_tokens: number;
      reasoning_format: string | null;
    };
  }, body);
}

test("the prompt of a typed message and of the last reply are those of the API, as text", async () => {
  const { page, look } = demo;
  await openPanel(demo, "chat");
  await button("Show prompt").click();
  await dialog().getByText("Type a message to see its prompt.").waitFor();
  await page.keyboard.press("Escape");

  await button("Parameters").click();
  await page.getByLabel("System prompt").fill(SYSTEM);
  await button("Close parameters").click();
  await page.getByLabel("Your message").fill(HOSTILE);
  await show();
  const system = { role: "system", content: SYSTEM };
  const typed = { role: "user", content: HOSTILE };
  const first = await render(page, { messages: [system, typed] });
  expect(first.prompt).toContain(HOSTILE);
  expect(await prompt().textContent()).toBe(first.prompt);
  expect(await prompt().locator("*").count()).toBe(0);
  expect(await facts()).toEqual({
    Model: "infetch-tiny",
    Tokens: String(first.prompt_tokens),
    "Tool format": "none",
    "Reasoning format": first.reasoning_format,
  });
  await look("chat-prompt");

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button("Copy prompt").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.prompt);
  await button("Close").click();
  await dialog().waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Show prompt");
  await expect(page.getByLabel("Your message")).toHaveValue(HOSTILE);

  // Without a typed message: the prompt that the last reply was generated from.
  await say(page, "What is 12 + 30?");
  const asked = { role: "user", content: "What is 12 + 30?" };
  const reply = (await page.locator(".message.assistant .markdown").textContent())!;
  const stats = await page.locator(".stats").textContent();
  await show();
  const second = await render(page, { messages: [system, asked] });
  expect(await prompt().textContent()).toBe(second.prompt);
  expect(stats).toContain(` ${second.prompt_tokens} in the prompt`);
  await page.keyboard.press("Escape");

  await page.getByLabel("Your message").fill("And twice that?");
  await show();
  expect(await prompt().textContent()).toContain(reply.trim());
  expect(await prompt().textContent()).toContain("And twice that?");
});

test("the tools of the request, and their results, are in the prompt", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  await button("Parameters").click();
  await page.getByLabel("Temperature").fill("0");
  await page.getByRole("checkbox", { name: /get_time/ }).check();
  await page.getByLabel("Tool choice").selectOption("get_time");
  await say(page, "What time is it in Sofia?");
  const result = /"time":"\d\d:\d\d"/.exec((await page.locator(".tool").textContent())!)![0];
  const stats = await page.locator(".stats").textContent();
  await show();
  expect(await prompt().textContent()).toContain("get_time");
  expect(await prompt().textContent()).toContain(result);
  const { Tokens, "Tool format": format } = await facts();
  expect(stats).toContain(` ${Tokens} in the prompt`);
  expect(format).not.toBe("none");
});

test("an error of the API is shown, and the next try works", async () => {
  const { page, look } = demo;
  await page.route("**/model-library.wasm", (route) => route.abort());
  await openPanel(demo, "chat");
  await button("Parameters").click();
  await page.getByLabel("Temperature").fill("9");
  await page.getByLabel("Your message").fill("Hello");
  await button("Show prompt").click();
  await dialog().getByRole("alert").getByText("temperature").waitFor();
  await page.keyboard.press("Escape");

  await page.getByLabel("Temperature").fill("1");
  await button("Show prompt").click();
  await dialog().getByRole("alert").getByText("model-library.wasm").waitFor({ timeout: 60_000 });
  await look("chat-prompt-error");
  await page.unroute("**/model-library.wasm");
  await dialog().getByRole("button", { name: "Try again" }).click();
  await prompt().waitFor({ timeout: 120_000 });
  // Caused by this test.
  demo.complaints = demo.complaints.filter((complaint) => !complaint.includes("ERR_FAILED"));
});

test("Escape closes the prompt and does not stop the reply in progress", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  const release = await holdRequests(page, "**/params_shard_0.bin");
  await page.getByLabel("Your message").fill("Hello!");
  await page.keyboard.press("Enter");
  await page.locator(".load").waitFor();
  await button("Show prompt").click();
  await dialog().getByText("Loading the prompt").waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "hidden" });
  release();
  await page.locator(".stats").waitFor({ timeout: 120_000 });
  expect(await page.locator(".stats").textContent()).not.toContain("stopped");
});
