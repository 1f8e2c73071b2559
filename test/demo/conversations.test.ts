/** The console's conversations: their addresses, typed text, the focus after an edit, and replies of all kinds. */

import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./audit.ts";
import { openPanel, useDemo } from "./demo-page.ts";

const demo = useDemo();
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });
const said = (text: string) => demo.page.getByRole("article", { name: "You said" }).getByText(text);
const message = () => demo.page.getByLabel("Your message");

/** Stores conversations, each with pairs of a message and a reply, and reads them. The first message is the title. */
async function store(
  conversations: Record<string, readonly [text: string, reply: string, state?: string][]>,
): Promise<void> {
  const { page } = demo;
  await openPanel(demo, "chat");
  await page.getByText("Stored on this device only.").waitFor({ state: "attached" });
  await page.evaluate(async (conversations) => {
    const opening = indexedDB.open("infetch-console");
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    const writing = opening.result.transaction("conversations", "readwrite");
    for (const [id, turns] of Object.entries(conversations)) {
      const messages = turns.flatMap(([text, reply, state = "done"], at) => {
        const rounds = [{ reasoning: "", text: reply, calls: [] }];
        return [
          { id: `${id}-${at}`, role: "user", text, images: [] },
          { id: `${id}-${at}-reply`, role: "assistant", model: "infetch-tiny", rounds, state },
        ];
      });
      const row = { id, title: turns[0]![0], changedAtMs: 1, settings: {}, messages };
      writing.objectStore("conversations").put(row);
    }
    await new Promise((resolve) => {
      writing.oncomplete = resolve;
    });
    opening.result.close();
  }, conversations);
  await page.reload();
  await page.locator(".conversation").first().waitFor({ state: "attached" });
}

/** Whether the text of an element is in the right half of its reply. */
const isAtRight = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!);
    const { left, right } = range.getBoundingClientRect();
    const around = element.closest(".markdown")!.getBoundingClientRect();
    return (left + right) / 2 > (around.left + around.right) / 2;
  });

test("the address names the conversation: a reload, Back and a new tab open it, with the typed text", async () => {
  const { page } = demo;
  await store({ first: [["One", "1"]], second: [["Two", "2"]] });
  await button("One").click();
  await said("One").waitFor();
  expect(page.url()).toMatch(/#\/chat\/first$/);
  await button("Two").click();
  await said("Two").waitFor();
  await message().fill("Not sent");
  await page.reload();
  await said("Two").waitFor();
  await expect(message()).toHaveValue("Not sent");
  await page.goBack();
  await said("One").waitFor();
  await expect(message()).toHaveValue("");
  await message().fill("Not sent either");
  await page.reload();
  await expect(message()).toHaveValue("Not sent either");
  await page.goForward();
  await expect(message()).toHaveValue("Not sent");
  await page.goBack();

  await page.getByRole("link", { name: "Models" }).click();
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Chat" }).click();
  await said("One").waitFor();
  expect(page.url()).toMatch(/#\/chat\/first$/);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByRole("article", { name: "You said" }).getByText("One").waitFor();
  await tab.close();

  await button("New chat").click();
  await expect(said("One")).toHaveCount(0);
  await message().fill("New");
  await page.reload();
  await expect(message()).toHaveValue("New");
  await page.goBack();
  await said("One").waitFor();
  await button("Delete One").click();
  await button("Sure? Delete One").click();
  await expect(said("One")).toHaveCount(0);
  await page.goBack();
  await expect(button("One")).toHaveCount(0);
  await expect(said("One")).toHaveCount(0);

  // What is not to be kept is not in the tab's storage either.
  await message().fill("Secret");
  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(await stored()).toContain("Secret");
  await page.goto(`${demo.address}/#/settings/preferences`);
  // After a reload, the chat is not loaded here.
  await page.reload();
  await page.getByLabel("Keep conversations on this device").uncheck();
  expect(await stored()).not.toContain("Secret");
});

test("the newest 200 conversations are listed, the others on request", async () => {
  const { page } = demo;
  const turns: [string, string][] = [["One", "1"]];
  await store(Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`id-${at}`, turns])));
  const listed = page.locator(".conversation");
  await expect(listed).toHaveCount(200);
  const more = button("Show more conversations");
  await more.press("Enter");
  await expect(listed).toHaveCount(400);
  await expect(more).toBeFocused();
  // On a phone, the menu would close if the panel had the focus.
  await page.setViewportSize({ width: 390, height: 844 });
  await button("Menu").click();
  await more.press("Enter");
  await expect(listed).toHaveCount(401);
  await expect(more).toHaveCount(0);
  // Not lost with the button.
  const list = page.getByRole("region", { name: "Conversations" });
  await expect(list).toBeFocused();
  await listed.first().hover();
  await button("Delete One").first().click();
  await button("Sure? Delete One").click();
  await expect(listed).toHaveCount(400);
  await expect(list).toBeFocused();
  await expect(list).toBeVisible();
});

test("an address that names no conversation opens a new one, under its own address", async () => {
  const { page, address } = demo;
  for (const name of ["unknown", "%3Cscript%3E", "__proto__", "a.b/../c", "%E0%A4%A", "a".repeat(5000)]) {
    await page.goto("about:blank");
    await page.goto(`${address}/#/chat/${name}`);
    await message().waitFor();
    await expect(page).toHaveURL(/#\/chat\/[0-9a-f-]{36}$/);
  }
});

test("the focus returns to what opened an edit or the parameters, which Escape closes on a phone", async () => {
  const { page } = demo;
  await store({ first: [["One", "1"]] });
  await button("One").click();
  for (const cancel of [() => page.keyboard.press("Escape"), () => button("Cancel").press("Enter")]) {
    await button("Edit").press("Enter");
    await expect(page.getByLabel("Message, edited")).toBeFocused();
    await cancel();
    await expect(button("Edit")).toBeFocused();
  }
  await button("Parameters").press("Enter");
  await expect(button("Parameters")).toBeFocused();
  await button("Close parameters").press("Enter");
  await expect(button("Parameters")).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await button("Parameters").press("Enter");
  await expect(button("Close parameters")).toBeFocused();
  await expectAccessible(page, "parameters on a phone");
  await page.getByLabel("System prompt").press("Escape");
  await expect(page.getByLabel("System prompt")).toHaveCount(0);
  await expect(button("Parameters")).toBeFocused();
});

test("replies: code is copied, Arabic lists start at the right, only the last reply can be retried", async () => {
  const { page } = demo;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const arabic =
    "- واحد\n- اثنان\n\n> اقتباس\n\n1. أول\n\n   ```\n   code\n   ```\n\n| اسم | عدد |\n|---|---|\n| أ | ١ |";
  await store({
    first: [
      ["Code", "- a\n\n```js\nconst x = 1;\n```"],
      ["Arabic", arabic],
    ],
  });
  await button("Code").click();
  await said("Arabic").waitFor();
  await expect(button("Retry")).toHaveCount(1);
  await expect(button("Retry")).toBeVisible();
  await button("Copy code").first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const x = 1;\n");
  const last = ".message:last-child .markdown";
  expect(await isAtRight(page, ".message:nth-child(2) li")).toBe(false);
  for (const selector of ["ul > li:first-child", "blockquote p", "ol p"]) {
    expect(await isAtRight(page, `${last} ${selector}`), selector).toBe(true);
  }
  await expect(page.locator(`${last} ul`)).toHaveCSS("padding-right", /^[1-9]/);
  await expect(page.locator(`${last} pre`)).toHaveCSS("direction", "ltr");
  const columns = await page
    .locator(`${last} th`)
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(columns[0], "the first column is at the right").toBeGreaterThan(columns[1]!);
  await expect(page.locator(`${last} th`).first()).toHaveCSS("padding-left", /^[1-9]/);
  // Only the messages scroll, also below what is announced.
  const isPageLonger = () => page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  await page.setViewportSize({ width: 700, height: 400 });
  expect(await isPageLonger()).toBe(false);
  await demo.look("chat-arabic");
});

test("formulas are typeset, and one that is wrong or hostile stays as it is written", async () => {
  const { page } = demo;
  const hostile =
    "\\(\\href{https://elsewhere.example}{a} \\style{position:fixed}{b} \\rule{999em}{999em}\\)";
  const texts = [
    "The sum is \\(a^2 + b^2 = c^2\\), `\\(code\\)` is code.",
    "\\[\\int_0^1 x^2 \\, dx = \\frac{1}{3}\\]",
    `$$${"x_1 + ".repeat(100)} y$$`,
    "\\(\\unknown{x}\\)",
    hostile,
    `\\(${"{".repeat(900)}x${"}".repeat(900)}\\)`,
    '\\(\\begin{matrix} a & b \\\\ c & d \\end{matrix} \\color{red}{x} \\text{<b style="color:red">bold</b>}\\)',
  ];
  await store({ first: [["Formulas", texts.join("\n\n")]] });
  await button("Formulas").click();
  const math = page.locator(".markdown math");
  await expect(math.first()).toBeVisible();
  await expect(math.nth(1)).toHaveAttribute("display", "block");
  await expect(page.locator(".markdown mfrac")).toHaveCount(1);
  expect(await math.first().locator("msup").count()).toBe(3);
  await expect(page.locator(".markdown code")).toHaveText("\\(code\\)");
  await expect(page.getByText("\\(\\unknown{x}\\)")).toBeVisible();
  const unsafe = page.locator(".markdown :is([style], [href], [width], [height], [mathcolor], var b, var a)");
  await expect(unsafe).toHaveCount(0);
  await expect(page.locator(".markdown mtext")).toHaveText('<b style="color:red">bold</b>');
  const widest = await page.locator(".markdown").evaluate((one) => one.scrollWidth - one.clientWidth);
  expect(widest, "a long formula scrolls").toBeLessThanOrEqual(0);
  await demo.look("chat-formulas");
});

test("a reply that was interrupted says so, and the end of long code can be read", async () => {
  const { page } = demo;
  await store({ first: [["Code", `\`\`\`\n${"long ".repeat(60)}\n\`\`\``, "writing"]] });
  await button("Code").click();
  await page.getByText("Incomplete: interrupted, or still in progress in another tab.").waitFor();
  const code = page.locator(".markdown pre");
  await code.evaluate((block) => block.scrollTo(block.scrollWidth, 0));
  const endOfText = await code.evaluate((block) => {
    const range = document.createRange();
    range.selectNodeContents(block.querySelector("code")!);
    return range.getBoundingClientRect().right;
  });
  expect(endOfText).toBeLessThanOrEqual((await button("Copy code").boundingBox())!.x);
});

test("an item of a task list has its box in place of a bullet", async () => {
  await store({ first: [["Tasks", "- [ ] open\n- [x] done\n- other"]] });
  await button("Tasks").click();
  const marks = () =>
    demo.page
      .locator(".markdown li")
      .evaluateAll((all) => all.map((item) => [item.textContent, getComputedStyle(item).listStyleType]));
  await expect.poll(marks).toEqual([
    ["☐ open", "none"],
    ["☑ done", "none"],
    ["other", "disc"],
  ]);
});

test("before a model is downloaded, its memory is shown, and that this page's policy forbids it", async () => {
  await openPanel(demo, "chat");
  await demo.page.getByLabel("Model", { exact: true }).selectOption("infetch-qwen3-0.6b");
  await demo.page.getByText(/infetch-qwen3-0.6b, downloaded once. It takes \d\.\d GB of memory\./).waitFor();
  await demo.page.getByText("it cannot download the model. Models says how to allow it.").waitFor();
});

test("a long conversation is printed in full, without the fields around it", async () => {
  const { page } = demo;
  const turn = (_: unknown, at: number) =>
    [`Question ${at}`, "A paragraph.\n\n".repeat(10)] as [string, string];
  await store({ first: Array.from({ length: 20 }, turn) });
  await button("Question 0").click();
  await said("Question 19").waitFor();
  const { height } = (await page.locator(".messages").boundingBox())!;
  await page.emulateMedia({ media: "print" });
  for (const selector of [".chat-head", ".composer", ".sidebar"]) {
    await expect(page.locator(selector)).toBeHidden();
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(height / 2);
});

test.describe("with a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("the button that deletes a conversation is seen", async () => {
    await store({ first: [["One", "1"]], second: [["Two", "2"]] });
    await demo.page.getByRole("button", { name: "Menu", exact: true }).tap();
    for (const name of ["Delete One", "Delete Two"]) await expect(button(name)).toHaveCSS("opacity", "1");
  });

  test("Enter adds a line to the message, and the button sends it", async () => {
    await openPanel(demo, "chat");
    await message().pressSequentially("One\nTwo");
    await expect(message()).toHaveValue("One\nTwo");
    await button("Send").tap();
    await said("One").waitFor();
    await button("Stop").tap();
    await button("Send").waitFor();
    // With a keyboard at the tablet.
    await message().fill("Three");
    await message().press("Control+Enter");
    await said("Three").waitFor();
  });
});
