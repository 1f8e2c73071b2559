/** The model that sees, through the public interface: pictures that its training did not see (`models/tiny-vision/evaluation.json`). */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTabs, type Tab, type TabHost } from "./tab.ts";

interface Item {
  skill: string;
  question: string;
  answer: string;
  png: string;
}

const root = resolve(import.meta.dirname, "../../..");
const PICTURES = Number(process.env.VISION_PICTURES ?? 25);
/** Tokens of a picture (`models/tiny-vision/architecture.json`: patches). */
const PICTURE_TOKENS = 64;

/** 19 of the 100 were wrong, which have fonts, words and phrasings that training did not see. */
const MOST_WRONG = 0.25;

let tabs: TabHost;
let tab: Tab;
let items: Item[];

beforeAll(async () => {
  tabs = await startTabs();
  tab = await tabs.open({});
  items = JSON.parse(await readFile(resolve(root, "models/tiny-vision/evaluation.json"), "utf8"));
});

afterAll(() => tabs.close());

async function ask({ question, png }: Item) {
  const image_url = { url: `data:image/png;base64,${png}` };
  const content = [
    { type: "image_url", image_url },
    { type: "text", text: question },
  ];
  const { status, text } = await tab.request("/chat/completions", {
    model: "infetch-tiny-vision",
    messages: [{ role: "user", content }],
    temperature: 0,
    max_tokens: 40,
  });
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

test("it answers questions about pictures that training did not have", async () => {
  const wrong: string[] = [];
  for (const item of items.slice(0, PICTURES)) {
    const { choices, usage } = await ask(item);
    expect(usage.prompt_tokens).toBeGreaterThan(PICTURE_TOKENS);
    const said = choices[0].message.content;
    if (said !== item.answer) wrong.push(`${item.question} → ${said}, not ${item.answer}`);
  }
  console.log(`${PICTURES - wrong.length} of ${PICTURES} right\n${wrong.join("\n")}`);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(PICTURES * MOST_WRONG);
});
