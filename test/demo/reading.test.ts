/** What helps to read the console: nothing moves, large text fits, replies are announced, problems say what to do. */

import { expect, type Page, test } from "@playwright/test";
import { openPanel, say, useDemo } from "./demo-page.ts";

const demo = useDemo();
const PHONE = { width: 360, height: 740 };
const TABLET = { width: 820, height: 1180 };
const DESKTOP = { width: 1280, height: 800 };

/** What is shown last in each panel. */
const PANELS = {
  chat: ".composer",
  models: ".model-card",
  embeddings: ".source",
  batches: "[aria-label=Files] .empty",
  usage: "[aria-label='Export and restore']",
  connect: "[aria-label=Requests] table",
  "settings/keys": ".card .empty",
  "settings/preferences": "[aria-label=Offline]",
};

/** Layout shifts of the page, without those after a click or a key. */
const readShifts = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0);
  });

for (const size of [PHONE, TABLET, DESKTOP]) {
  test(`nothing that is shown moves while a panel opens, ${size.width} pixels wide`, async () => {
    const { page, address } = demo;
    await page.setViewportSize(size);
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
          if (!entry.hadRecentInput) shifts.push(entry.value);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const [panel, last] of Object.entries(PANELS)) {
      await page.goto("about:blank");
      await page.goto(`${address}/#/${panel}`);
      await page.locator(last).first().waitFor();
      expect(await readShifts(page), panel).toBeLessThan(0.005);
    }
  });
}

test("with text of twice the size, all of it fits on a phone, and a desktop has the menu of a phone", async () => {
  const { page } = demo;
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    for (const [panel, last] of Object.entries(PANELS)) {
      await openPanel(demo, panel);
      await page.locator(last).first().waitFor();
      const name = `${panel}, ${size.width}`;
      const width = await page.evaluate(() =>
        Math.max(document.documentElement.scrollWidth, document.querySelector("main")!.scrollWidth),
      );
      expect(width, name).toBeLessThanOrEqual(size.width);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height, `${name}: only the panel scrolls`).toBe(size.height);
      const skip = (await page.getByText("Skip to content").boundingBox())!;
      expect(skip.y + skip.height, `${name}: shown only with the focus`).toBeLessThanOrEqual(0);
    }
    await demo.shot(`large-text-${size.width}`);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const names = page.getByRole("navigation", { name: "Panels" }).getByRole("link");
    for (const link of await names.all()) {
      expect(await link.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    }
  }
});

test("a reply is announced once, when it is complete", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  await page.getByLabel("Your message").waitFor();
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(window, { announced });
    const note = (node: Node): void => {
      const around = node instanceof Element ? node : node.parentElement;
      const live = around?.closest("[aria-live], [role=status], [role=alert], [role=log]");
      if (live && live.getAttribute("aria-live") !== "off") announced.push(node.textContent ?? "");
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "characterData") note(target);
        for (const node of addedNodes) if (node.textContent !== "") note(node);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const announced = () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
  await say(page, "Hello! Who are you?");
  const reply = (await page.locator(".message.assistant .markdown").textContent())!.trim();
  await expect.poll(announced).toContain(reply);
  const pieces = (await announced()).filter((text) => text !== "" && reply.includes(text.trim()));
  expect(pieces).toEqual([reply]);
});

test("of two replies right after each other, the first is not announced again, nor the second missed", async () => {
  const { page } = demo;
  // The announcement is not removed meanwhile, as if the second message were sent at once.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const all = Object.assign(window, { announcements: [] as string[] }).announcements;
    window.setTimeout = ((work: () => void, ms?: number) =>
      ms === 1000 ? -1 : setTimeout(work, ms)) as typeof window.setTimeout;
    new MutationObserver(() => {
      const text = document.querySelector(".transcript > [aria-live=polite]")?.textContent ?? "";
      if (text !== (all.at(-1) ?? "")) all.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await openPanel(demo, "chat");
  await say(page, "Hello! Who are you?");
  await say(page, "Hello! Who are you?");
  const announcements = () =>
    page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
  await expect.poll(announcements).toHaveLength(3);
  expect((await announcements())[1]).toBe("");
});

test("a panel is shown though the storage never answers, and what is missing says so", async () => {
  const { page } = demo;
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message: unknown, ...rest: unknown[]) {
      if ((message as { path?: string[] } | null)?.path?.at(-1) === "storage") return;
      Reflect.apply(post, this, [message, ...rest]);
    };
  });
  await openPanel(demo, "models");
  await page.getByText("Loading what is stored …").waitFor();
  await page.locator(".model-card").first().waitFor();
});

test("a file dropped where nothing takes it does not replace the page", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  const dropOn = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "x.html", { type: "text/html" }));
      return ["dragover", "drop"].map((type) => {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
        return !element.dispatchEvent(event);
      });
    });
  await page.getByLabel("Your message").waitFor();
  for (const selector of [".chat-head", ".sidebar", ".chat-main"]) {
    expect(await dropOn(selector), selector).toEqual([true, true]);
  }
  expect(await dropOn(".composer")).toEqual([true, true]);
  await expect(page.getByRole("alert")).toHaveText("infetch-tiny takes no images: choose a model that does.");
  await page.getByLabel("Model", { exact: true }).selectOption("infetch-tiny-vision");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("with a full storage, a phone's chat says that it is not kept, and what to do", async () => {
  const { page } = demo;
  await page.setViewportSize(PHONE);
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await openPanel(demo, "chat");
  await page.getByLabel("Your message").fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert").first()).toHaveText(
    "This conversation is not stored: the browser's storage is full. Delete models, files or conversations, or copy what you need: it is lost when this page is closed.",
  );
  await demo.look("chat-storage-full");
});
