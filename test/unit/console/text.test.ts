/** Hostile and ordinary text in the console: Markdown, titles, sums, cities, keys. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { newUserMessage, titleOf } from "../../../demo/panels/chat/conversation/conversation.ts";
import { markdownToHTML } from "../../../demo/panels/chat/markdown/markdown-to-html.ts";
import { calculate } from "../../../demo/panels/chat/tools/calculator.ts";
import { timeIn } from "../../../demo/panels/chat/tools/clock.ts";
import { HUB_COMMAND } from "../../../demo/panels/models/hub-command.ts";
import { filledIn } from "../../../demo/ui/filled-in.ts";
import { isComposing, isFreeEscape } from "../../../demo/ui/keys.ts";

test("Markdown nested too deeply stays text, escaped", () => {
  const text = `${">".repeat(5000)}<b>`;
  expect(markdownToHTML(text)).toBe(`<p>${"&gt;".repeat(5000)}&lt;b&gt;</p>`);
  expect(markdownToHTML("> *a*")).toContain("<blockquote>\n<p><em>a</em></p>");
});

test("a title is never empty, and has no half of an emoji", () => {
  expect(titleOf([newUserMessage("", ["data:,"])])).toBe("Image");
  expect(titleOf([newUserMessage(`${"a".repeat(46)}😀😀`, [])])).toBe(`${"a".repeat(46)}😀😀`);
  expect(titleOf([newUserMessage("😀".repeat(60), [])])).toBe(`${"😀".repeat(47)}…`);
  expect(titleOf([newUserMessage(`${"a".repeat(46)}😀 and more`, [])])).toBe(`${"a".repeat(46)}😀…`);
});

test.each([
  ["-2^2", -4],
  ["2^-2", 0.25],
  ["2^3^2", 512],
  ["(-2)^2", 4],
  ["3 * -2^2", -12],
  ["+5 - -3", 8],
  ["2 - +3", -1],
])("%s = %s", (sum, value) => expect(calculate(sum)).toBe(value));

test("towers of powers and signs are refused, not an overflow", () => {
  for (const sum of [`${"2^".repeat(20_000)}2`, `${"-".repeat(20_000)}2`])
    expect(() => calculate(sum)).toThrow("nested too deeply");
});

test.each(["Kolkata", "Kyiv", "Ho Chi Minh", "São Paulo", "New York", "london"])("the time in %s", (city) => {
  expect(timeIn(city, new Date())).toMatch(/^\d\d:\d\d$/);
});

test("no time zone is made up", () => {
  for (const city of ["Atlantis", "", "../etc", "Asia/"])
    expect(() => timeIn(city, new Date())).toThrow("no time zone");
});

test("keys of an input method, and an Escape that was used, are not the page's", () => {
  const key = (more: object) =>
    ({ key: "Escape", isComposing: false, keyCode: 27, defaultPrevented: false, ...more }) as KeyboardEvent;
  expect(isFreeEscape(key({}))).toBe(true);
  expect(isFreeEscape(key({ defaultPrevented: true }))).toBe(false);
  expect(isFreeEscape(key({ isComposing: true }))).toBe(false);
  // Safari: the Enter that ends a composition.
  expect(isComposing(key({ key: "Enter", keyCode: 229 }))).toBe(true);
});

test("an empty field of a form is not sent; zero is a value", () => {
  expect(filledIn({ a: "", b: [], c: {}, d: "x", e: 0, f: false, g: ["y"], h: { i: 1 } })).toEqual({
    d: "x",
    e: 0,
    f: false,
    g: ["y"],
    h: { i: 1 },
  });
});

test("the note on models of the hub has the documented command, whole", async () => {
  const guide = await readFile(resolve(import.meta.dirname, "../../../docs/console.md"), "utf8");
  const [command] = /^npm start -- --allow .*$/m.exec(guide) ?? [];
  expect(HUB_COMMAND.join(" ")).toBe(command);
});
