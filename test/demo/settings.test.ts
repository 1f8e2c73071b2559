/** Settings: keys with scopes and limits, shown once; stored preferences. */

import { expect, test } from "@playwright/test";
import { openPanel, useDemo } from "./demo-page.ts";

const demo = useDemo();
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });

test("a key is made with scopes and limits, shown once, kept, rotated and revoked", async () => {
  const { page, look } = demo;
  await openPanel(demo, "settings");
  await page.getByText("No keys yet").waitFor();
  await button("Create a key").click();
  await page.getByLabel("Name").fill("<b>Notes</b>");
  await page.getByRole("checkbox", { name: "infetch-tiny", exact: true }).check();
  await page.getByRole("checkbox", { name: "/v1/chat/completions" }).check();
  await page.getByLabel("Requests a minute").fill("1");
  await page.getByLabel("Tokens a month").fill("1000000");
  await page.getByLabel("Dollars a day").fill("0.5");
  await look("settings-key-form");
  await button("Create").click();
  const secret = page.locator(".secret code");
  const first = await secret.textContent();
  expect(first).toMatch(/^infetch-\w+-\w+$/);
  await look("settings-key");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByText(first!).count()).toBe(0);
  await expect(button("Create a key")).toBeFocused();

  const key = page.getByRole("listitem", { name: "<b>Notes</b>" });
  expect(await key.textContent()).toMatch(/Modelsinfetch-tiny.*\/v1\/chat\/completions/);
  await key.getByText("1 request a minute, 1,000,000 tokens a month, $0.50 a day").waitFor();
  await page.reload();
  await key.waitFor();
  await look("settings-keys");
  await key.getByRole("button", { name: "Rotate" }).click();
  await key.getByRole("button", { name: "Sure? Rotate" }).click();
  await secret.waitFor();
  expect(await secret.textContent()).not.toBe(first);
  await page.keyboard.press("Escape");
  await key.getByRole("button", { name: "Revoke" }).press("Enter");
  await key.getByRole("button", { name: "Sure? Revoke" }).press("Enter");
  await page.getByText("No keys yet").waitFor();
  // Not at the top of the page, where the browser leaves it.
  await expect(page.getByRole("heading", { name: "Settings" })).toBeFocused();
});

test("on a phone, why a key was not made is in view, and the button to try again", async () => {
  const { page } = demo;
  await page.setViewportSize({ width: 320, height: 640 });
  await openPanel(demo, "settings");
  await button("Create a key").click();
  await page.getByLabel("Name").fill("x".repeat(101));
  await page.getByLabel("Name").press("Enter");
  await expect(page.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(button("Create")).toBeInViewport({ ratio: 1 });
});

test("preferences: colours, storage, device", async () => {
  const { page, look } = demo;
  await openPanel(demo, "settings/preferences");
  await page.getByText(/are in use for models/).waitFor();
  await page.getByText("Engines of the models").click();
  const row = page.getByRole("row", { name: /^infetch-tiny-embed/ });
  expect(await row.textContent()).toMatch(/transformers\.jsWebGPU on the processor$/);
  await look("settings-preferences");
  await page.getByRole("group", { name: "Colours" }).getByRole("button", { name: "Dark" }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await background()).toBe("rgb(16, 16, 20)");
  await page.reload();
  await expect.poll(background).toBe("rgb(16, 16, 20)");
});
