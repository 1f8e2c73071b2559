/** The console's chat: loading, streaming, stopping, statistics, tools, JSON, reasoning and storage. */

import { expect, test } from "@playwright/test";
import { expectAccessible } from "./audit.ts";
import { holdRequests, noteLoading, openPanel, say, useDemo, withoutWebGPU } from "./demo-page.ts";

const demo = useDemo();
const replies = () => demo.page.locator(".message.assistant");
const stats = (at: number) => replies().nth(at).locator(".stats");
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });
const conversations = () => demo.page.getByRole("region", { name: "Conversations" });

test("a chat: load, stream, numbers, stop, edit, retry; kept over a reload", async () => {
  const { page, look } = demo;
  await openPanel(demo, "chat");
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Your message");
  await look("chat-empty");

  const loading = await noteLoading(page);
  await say(page, "Hello! Who are you?");
  expect(loading.some((text) => /^Reading infetch-tiny · \d+\.\d MB of \d+\.\d MB$/.test(text))).toBe(true);
  expect(loading.some((text) => text.startsWith("Preparing"))).toBe(true);
  expect(await page.locator(".load").count()).toBe(0);
  expect(await stats(0).textContent()).toMatch(
    /^\d+ tokens · \d+\.\d tokens\/s · first after [\d.]+ m?s · \d+ in the prompt/,
  );

  // Stop at the first piece of text, however short the reply would be.
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      const [, second] = document.querySelectorAll(".message.assistant");
      if (!second?.querySelector(".markdown, .plain")?.textContent) return;
      seen.disconnect();
      document.querySelector<HTMLButtonElement>("button[aria-label=Stop]")?.click();
    });
    seen.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await say(page, "Tell me a long story about the sea.");
  expect(await stats(1).textContent()).toMatch(/ · stopped$/);
  await expect(button("Send")).toBeVisible();

  await page.getByRole("article", { name: "You said" }).nth(1).hover();
  await button("Edit").nth(1).click();
  await page.getByLabel("Message, edited").fill("What is 2 + 3?");
  await button("Send again").click();
  await expect.poll(() => stats(1).textContent()).toMatch(/ in the prompt/);
  await expect(page.getByText("Tell me a long story")).toHaveCount(0);
  await button("Retry").click();
  await stats(1).waitFor();
  await expect(replies()).toHaveCount(2);

  await page.reload();
  await expect(replies()).toHaveCount(2);
  await look("chat");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Preferences" }).click();
  await page.getByLabel("Keep conversations on this device").uncheck();
  await page.goto(`${demo.address}/#/chat`);
  await page.reload();
  await conversations().getByText("Kept until this page is closed.").waitFor();
  await expect(conversations().getByRole("listitem")).toHaveCount(0);
});

test("tools make a round trip, JSON holds its schema, thoughts are folded, a wrong value is named", async () => {
  const { page, look } = demo;
  await openPanel(demo, "chat");
  await button("Parameters").click();
  await page.getByLabel("Temperature").fill("0");
  await page.getByRole("checkbox", { name: /get_time/ }).check();
  await page.getByLabel("Tool choice").selectOption("get_time");
  await say(page, "What time is it in Sofia?");
  const call = page.locator(".tool");
  expect(await call.locator("summary").textContent()).toBe("get_timeanswered");
  expect(await call.textContent()).toMatch(/"city": ?"Sofia".*"time":"\d\d:\d\d"/);
  expect(await replies().first().locator(".markdown").textContent()).not.toBe("");

  await page.getByRole("checkbox", { name: /calculator/ }).check();
  await page.getByRole("checkbox", { name: /get_time/ }).uncheck();
  await expect(page.getByLabel("Tool choice")).toHaveValue("auto");
  await page.getByRole("checkbox", { name: /calculator/ }).uncheck();
  await page.getByLabel("Answer format").selectOption("json_schema");
  await say(page, "Mia is 12 years old. Answer with JSON.");
  const answer = JSON.parse((await replies().nth(1).locator(".markdown").textContent())!);
  expect(answer).toEqual({ name: expect.any(String), age: expect.any(Number) });

  await page.getByLabel("Answer format").selectOption("text");
  await page.getByLabel("Thinking").selectOption("high");
  await say(page, "What is the capital of Norway?");
  const thoughts = replies().nth(2).locator("details");
  expect(await thoughts.getAttribute("open")).toBeNull();
  await thoughts.getByText("Thoughts").click();
  expect((await thoughts.locator(".plain").textContent())!.length).toBeGreaterThan(5);
  await look("chat-parameters");

  await page.getByLabel("Top p").pressSequentially("1e");
  await expect(page.getByLabel("Top p")).toHaveAttribute("aria-invalid", "true");
  await page.getByText("This is not a number.").waitFor();
  await page.getByLabel("Temperature").fill("9");
  await page.getByLabel("Your message").fill("Hello");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("temperature").waitFor();
  // An empty value of another conversation is not wrong.
  await button("New chat").click();
  await page.getByLabel("Top p").fill("0.5");
  await page.getByLabel("Your message").fill("Second");
  await page.keyboard.press("Enter");
  const [second, first] = [conversations().getByText("Second"), conversations().getByText(/^What time/)];
  await first.click();
  await page.getByLabel("Top p").pressSequentially("1e");
  await second.click();
  await expect(page.getByLabel("Top p")).toHaveValue("0.5");
  await first.click();
  await expect(page.getByLabel("Top p")).not.toHaveAttribute("aria-invalid");
  for (const name of await page.locator(".author, .tool summary .mono").all()) {
    const hidden = await name.evaluate((shown) => {
      shown.textContent = "m".repeat(120);
      const { right } = shown.getBoundingClientRect();
      return Math.max(
        shown.scrollWidth - shown.clientWidth,
        right - shown.closest("article")!.getBoundingClientRect().right,
      );
    });
    expect(hidden, "a long name breaks").toBeLessThanOrEqual(0);
  }
  expect(await page.getByLabel("Attach images").count()).toBe(0);
});

test("what is said is never markup, and Markdown of a model is harmless", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  await say(page, "<img src=x onerror=alert(1)><b>bold</b>");
  expect(await page.locator(".message.user").textContent()).toContain("<img src=x");
  expect(await page.locator(".message.user").locator("img, b").count()).toBe(0);

  // Write hostile model output into the stored conversation that the page reads.
  const hostile = [
    "**bold** <img src=x onerror=alert(1)> ![pixel](https://elsewhere.example/x.png)",
    '<script>alert(1)</script><iframe src="https://elsewhere.example"></iframe><form action="/x"><input></form>',
    '<a href="javascript:alert(1)">a</a> [b](javascript:alert(1)) [c](https://example.org) <p style="position:fixed" onclick="alert(1)">d</p>',
    `\`\`\`\n${"long ".repeat(100)}\n\`\`\`\n\n| a |\n|---|\n| ${"wide".repeat(100)} |`,
  ].join("\n\n");
  await page.evaluate(async (text) => {
    const open = indexedDB.open("infetch-console");
    const database = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result);
    });
    const store = database.transaction("conversations", "readwrite").objectStore("conversations");
    const all = store.getAll();
    all.onsuccess = () => {
      const [conversation] = all.result;
      conversation.messages[1].rounds = [
        {
          text,
          reasoning: "<b>thought</b>",
          calls: [{ id: "1", name: "<b>tool</b>", arguments: "<i>{", result: "<i>" }],
        },
      ];
      store.put(conversation);
    };
    await new Promise((resolve) => {
      store.transaction.oncomplete = resolve;
    });
    database.close();
  }, hostile);
  await page.reload();
  const markdown = page.locator(".markdown");
  await markdown.locator("strong").waitFor();
  expect(
    await page
      .locator("main")
      .locator("img, script, iframe, form:not(.composer), b, i, [onclick], [style]")
      .count(),
  ).toBe(0);
  const links = await markdown
    .locator("a")
    .evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("rel")]),
    );
  expect(links.filter(([, href]) => href !== null)).toEqual([
    ["c", "https://example.org", "noopener noreferrer nofollow"],
  ]);
  expect(await page.locator(".tool").textContent()).toContain("<b>tool</b>");
  await expectAccessible(page, "code and a table that scroll");
});

test("a load is shown on a phone too, and can be stopped", async () => {
  const { page } = demo;
  await page.setViewportSize({ width: 390, height: 844 });
  const release = await holdRequests(page, "**/params_shard_0.bin");
  await openPanel(demo, "chat");
  await button("What does infetch do?").click();
  await page.locator(".load").waitFor();
  await demo.shot("chat-loading-phone");
  // The percentage is shown, but not announced at each step.
  await page
    .getByRole("status")
    .getByText(/^\d+\u00a0%$/)
    .waitFor();
  expect(await page.getByRole("status").ariaSnapshot()).toBe("- status: Loading");
  await button("Stop").click();
  await replies().getByText("Stopped before the first token.").waitFor();
  release();
  await say(page, "What is 2 + 3?");
});

test("a model that cannot be read gives an error, and the next try works", async () => {
  const { page, look } = demo;
  await page.route("**/model-library.wasm", (route) => route.abort());
  await openPanel(demo, "chat");
  await page.getByLabel("Your message").fill("Hello");
  await page.keyboard.press("Enter");
  const failed = page.getByRole("alert");
  await failed.waitFor({ timeout: 60_000 });
  await look("chat-error");
  await page.unroute("**/model-library.wasm");
  await failed.getByRole("button", { name: "Try again" }).click();
  await stats(0).waitFor({ timeout: 120_000 });
  // Caused by this test.
  demo.complaints = demo.complaints.filter((complaint) => !complaint.includes("ERR_FAILED"));
});

test("pictures are attached, and the model that sees answers a question about one", async () => {
  const { page, look } = demo;
  await openPanel(demo, "chat");
  const model = page.getByLabel("Model", { exact: true });
  await model.selectOption("infetch-tiny-vision");
  const input = page.getByLabel("Attach images");
  const mimeType = "image/png";
  await input.setInputFiles([
    { name: "<b>no picture</b>.png", mimeType, buffer: Buffer.from("no") },
    { name: "look.png", mimeType, buffer: await page.screenshot() },
  ]);
  await page.getByText("This browser cannot read <b>no picture</b>.png as an image.").waitFor();
  await page.getByRole("img", { name: "Attachment 1" }).waitFor();
  // The same file can be chosen again.
  await expect(input).toHaveValue("");
  // Dropped and pasted files arrive as chosen ones do.
  for (const [type, name] of [
    ["drop", "dataTransfer"],
    ["paste", "clipboardData"],
  ] as const) {
    await page.locator(".composer").evaluate(
      async (form, [type, name]) => {
        const canvas = new OffscreenCanvas(96, 96);
        const context = canvas.getContext("2d")!;
        context.fillStyle = "white";
        context.fillRect(0, 0, 96, 96);
        context.fillStyle = "red";
        context.arc(48, 48, 30, 0, 2 * Math.PI);
        context.fill();
        const data = new DataTransfer();
        data.items.add(new File([await canvas.convertToBlob()], "drawn.png", { type: "image/png" }));
        const Kind = type === "drop" ? DragEvent : ClipboardEvent;
        form.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, [name]: data }));
      },
      [type, name] as const,
    );
    await page.getByRole("img", { name: `Attachment ${type === "drop" ? 2 : 3}` }).waitFor();
  }
  // Office programs add a picture of what they copy: its text is pasted.
  const isTaken = await page.locator(".composer").evaluate((form) => {
    const data = new DataTransfer();
    data.setData("text/plain", "a\tb");
    data.setData("text/html", "<td>a<td>b");
    data.items.add(new File(["picture"], "image.png", { type: "image/png" }));
    return !form.dispatchEvent(
      new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }),
    );
  });
  expect(isTaken).toBe(false);
  await look("chat-attachments");

  await model.selectOption("infetch-tiny");
  await page.getByText("infetch-tiny takes no images").waitFor();
  await expect(button("Send")).toBeDisabled();
  await model.selectOption("infetch-tiny-vision");
  for (const name of ["Remove attachment 3", "Remove attachment 1"]) await button(name).click();
  await button("Parameters").click();
  await page.getByLabel("Temperature").fill("0");
  await say(page, "What shape is this?");
  expect((await replies().last().locator(".markdown").textContent())!.trim()).toBe("circle");
  await expect(page.locator(".message.user img")).toHaveCount(1);
  await look("chat-images");

  // A model that takes no images goes on without them.
  await page.reload();
  await expect(page.locator(".message.user img")).toHaveCount(1);
  await model.selectOption("infetch-tiny");
  await say(page, "Hello! Who are you?");
});

test("the focus stays in its field when the conversation becomes a copy", async () => {
  const { page } = demo;
  await openPanel(demo, "chat");
  await conversations().getByText("Stored on this device only.").waitFor();
  /** Stores the conversation as another tab does. */
  const store = (revision: string) =>
    page.evaluate(async (revision) => {
      const opening = indexedDB.open("infetch-console");
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const writing = opening.result.transaction("conversations", "readwrite");
      const messages = [{ id: "m", role: "user", text: "Hi", images: [] }];
      const row = { id: "c", title: "Hi", changedAtMs: 1, settings: {}, messages, revision };
      writing.objectStore("conversations").put(row);
      await new Promise((resolve) => {
        writing.oncomplete = resolve;
      });
      opening.result.close();
    }, revision);
  await store("first");
  await page.reload();
  await conversations().getByRole("button", { name: "Hi", exact: true }).click();
  await button("Parameters").click();
  await store("second");
  const field = page.getByLabel("System prompt");
  await field.press("a");
  await conversations().getByText("Both are kept.").waitFor();
  await page.keyboard.type("bc");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("abc");
});

test("without WebGPU the page says so, and chats on the processor", async () => {
  const { page, look } = demo;
  await withoutWebGPU(page);
  await openPanel(demo, "chat");
  await page.getByText("WebGPU found no graphics adapter on this device.").waitFor();
  await look("chat-no-webgpu");
  await say(page, "Hello! Who are you?");
  expect(await replies().first().textContent()).toContain("infetch-tiny");

  // A model without a GGUF file needs WebGPU: its requirements are shown before any attempt.
  await page.getByLabel("Model", { exact: true }).selectOption("infetch-gemma-2-2b-jpn");
  await page.getByRole("heading", { name: "infetch-gemma-2-2b-jpn cannot run here" }).waitFor();
  await expect(page.getByLabel("Your message")).toBeDisabled();
});
