/** The console's models: catalogue, device fit, memory state and deployments. */

import { expect, test } from "@playwright/test";
import { holdRequests, openPanel, say, useDemo, withoutWebGPU } from "./demo-page.ts";

const demo = useDemo();
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });
const card = (id: string) => demo.page.getByRole("listitem", { name: id, exact: true });

test("a model is found, loaded, verified, kept and deleted; one is deployed and used", async () => {
  const { page, look } = demo;
  await openPanel(demo, "models");
  await card("infetch-tiny").getByText("Fits").waitFor();
  expect(await card("infetch-tiny").textContent()).toMatch(
    /Thinks.*Download\d\.\d MB.*4,096 tokens.*apache-2\.0/,
  );
  await page.getByText("This page may fetch from its own origin only").waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button("Copy command").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    " --allow https://huggingface.co --allow",
  );
  await look("models");
  const tiny = card("infetch-tiny");
  await tiny.getByRole("button", { name: "Load", exact: true }).click();
  await tiny.getByText("In memory").waitFor({ timeout: 120_000 });
  const activity = tiny.getByRole("group", { name: "Activity of infetch-tiny" });
  await activity.getByText("0 running, 0 waiting").waitFor();
  await look("models-activity");
  await tiny.getByRole("button", { name: "Verify" }).click();
  await tiny.getByText(/^Verified: \d files are intact/).waitFor();
  await page.reload();
  await tiny.getByText("On this device").waitFor();
  await tiny.getByRole("button", { name: "Delete from this device" }).click();
  await tiny.getByRole("button", { name: "Sure? Delete from this device" }).click();
  await tiny.getByText("Deleted from this device.").waitFor();
  await page.getByText("No model is stored on this device yet").waitFor();

  await page.getByLabel("Find a model").fill("EMBED");
  await expect.poll(() => card("infetch-tiny").count()).toBe(0);
  await expect(card("infetch-tiny-embed")).toHaveCount(1);
  await page.getByLabel("Find a model").fill("no such thing");
  await page.getByText("No model found").waitFor();
  await page.getByLabel("Find a model").fill("");

  await button("Deploy a model").click();
  await page.getByLabel("Name").fill("infetch-mine");
  await button("Deploy").click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByLabel("Name").fill("my-helper");
  await page.getByLabel("Context in tokens").fill("1024");
  await look("models-deploy");
  await button("Deploy").click();
  const deployed = page
    .getByRole("region", { name: "List of deployments" })
    .getByRole("row", { name: /my-helper/ });
  expect(await deployed.textContent()).toContain("1,024");
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.getByLabel("Model", { exact: true }).selectOption("my-helper");
  await say(page, "Hello! Who are you?");
  await expect(page.getByRole("article", { name: "Reply of my-helper" })).toHaveCount(1);
  await page.getByRole("link", { name: "Models" }).click();
  await button("Delete my-helper").click();
  await button("Sure? Delete my-helper").click();
  await deployed.waitFor({ state: "detached" });
});

test("a download shows its progress and can be cancelled; the next one goes on; memory is freed", async () => {
  const { page, shot } = demo;
  const release = await holdRequests(page, "**/params_shard_0.bin");
  await openPanel(demo, "models");
  const tiny = card("infetch-tiny");
  await tiny.getByRole("button", { name: "Load", exact: true }).click();
  await tiny.getByRole("progressbar", { name: "Load of infetch-tiny" }).waitFor();
  await shot("models-loading");
  await tiny.getByRole("button", { name: "Cancel" }).click();
  await tiny.getByText("Stopped. Downloaded data is kept.").waitFor();
  release();
  await tiny.getByRole("button", { name: /^(Load|Resume)$/ }).click();
  await tiny.getByText("In memory").waitFor({ timeout: 120_000 });
  await tiny.getByRole("button", { name: "Unload" }).click();
  await tiny.getByRole("button", { name: "Load", exact: true }).waitFor();
});

test("without WebGPU the catalogue says what cannot run, and why", async () => {
  const { page } = demo;
  await withoutWebGPU(page);
  await openPanel(demo, "models");
  await card("infetch-gemma-2-2b-jpn").getByText("Needs WebGPU").waitFor();
  await expect(card("infetch-gemma-2-2b-jpn").getByRole("button", { name: "Load" })).toBeDisabled();
  await expect(card("infetch-tiny").getByText("Fits")).toHaveCount(1);
  await page.getByLabel("Only what fits this device").check();
  await expect(card("infetch-gemma-2-2b-jpn")).toHaveCount(0);
});
