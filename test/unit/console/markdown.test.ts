/** Markdown of replies: what a hostile text costs is linear in it, and a reply that grows is rendered once. */

import { Lexer, Tokenizer } from "marked";
import { afterEach, expect, test, vi } from "vitest";
import { splitBlocks } from "../../../demo/panels/chat/markdown/markdown-blocks.ts";
import {
  markdownToHTML,
  type Part,
  partToHTML,
} from "../../../demo/panels/chat/markdown/markdown-to-html.ts";
import { RenderedParts } from "../../../demo/panels/chat/markdown/rendered-parts.ts";

afterEach(() => vi.restoreAllMocks());

/** Characters that the lexer and the tokenizers that scan ahead are given, while `text` is rendered. */
function workOf(text: string): number {
  let work = 0;
  const count = (owner: object, name: string): void => {
    const original = Reflect.get(owner, name) as (...given: unknown[]) => unknown;
    vi.spyOn(owner as Record<string, () => unknown>, name).mockImplementation(function (
      this: unknown,
      ...given: unknown[]
    ) {
      work += (given[0] as string).length;
      return original.apply(this, given);
    } as never);
  };
  count(Lexer.prototype, "blockTokens");
  count(Lexer.prototype, "inlineTokens");
  for (const name of ["list", "blockquote", "emStrong", "del", "link", "codespan"]) {
    count(Tokenizer.prototype, name);
  }
  markdownToHTML(text);
  vi.restoreAllMocks();
  return work;
}

/** Per character; several tokenizers count the same text. */
const MAX_WORK = 800;

const nestedList = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `${"  ".repeat(at)}- a`).join("\n");

test.each([
  ["emphasis that never ends", "*a **b ".repeat(1000)],
  ["emphasis in many paragraphs", `${"*a **b ".repeat(100)}\n\n`.repeat(20)],
  ["a list nested 400 deep", nestedList(400)],
  ["lists nested 90 deep", `${nestedList(90)}\n\nend\n\n`.repeat(4)],
  ["quotes", "> ".repeat(4000)],
  ["quotes of lists", "> - ".repeat(2000)],
  ["links that never end", "[a](b ".repeat(1000)],
  ["brackets", "[ ".repeat(4000)],
  ["code that never ends", "`a ``b ".repeat(1000)],
  ["formulas that never end", "\\(a ".repeat(2000)],
  ["strikes", "~a ~~b ".repeat(1000)],
  ["a long block", "a *b* c\n".repeat(5000)],
  ["a long word", "a".repeat(50_000)],
])("%s is scanned a bounded number of times", (_, text) => {
  expect(workOf(text)).toBeLessThan(MAX_WORK * text.length);
  expect(workOf(text.repeat(4))).toBeLessThan(MAX_WORK * 4 * text.length);
});

test("a list nested too deeply is text, however short", () => {
  const deep = nestedList(90);
  expect(workOf(deep)).toBeLessThan(100 * deep.length);
  expect(workOf(nestedList(400))).toBeLessThan(100 * nestedList(400).length);
});

test("too much emphasis is text, escaped; the rest of the reply is not", () => {
  const html = markdownToHTML(`**bold**\n\n${"*a **b <i>\n".repeat(500)}\n\n- *item*`);
  expect(html).toContain("<strong>bold</strong>");
  expect(html).toContain("*a **b &lt;i&gt;<br>*a **b");
  expect(html).toContain("<li><em>item</em></li>");
});

test("ordinary long texts are rendered", () => {
  const words = "Some **bold** words, `code`, a [link](https://example.org) and *more*, as usual. ";
  expect(markdownToHTML(words.repeat(15))).toContain("<strong>");
  expect(markdownToHTML(`**好**${"文".repeat(5000)}`)).toContain("<strong>");
  expect(markdownToHTML("- an item with **bold** text and `code`\n".repeat(200))).toContain("<li>");
  const table = `| a | b |\n|---|---|\n${"| **x** | `y` |\n".repeat(500)}`;
  expect(markdownToHTML(table)).toContain("<td><strong>x</strong></td>");
  expect(markdownToHTML(`\`\`\`ts\n${"const a = b * c;\n".repeat(5000)}\`\`\``)).toMatch(
    /^<pre><code>const a = b \* c;\n[^`]*<\/code><\/pre>\n$/,
  );
});

test("formulas stay as they are written, with every backslash", () => {
  for (const formula of ["\\(a_1 * b_1 * \\{c\\}\\)", "\\[\na \\\\ b\n\\]", "$$x^*_1 \\, y^*$$"]) {
    expect(markdownToHTML(`${formula} is **it**`)).toBe(
      `<p><var>${formula}</var> is <strong>it</strong></p>\n`,
    );
  }
  expect(markdownToHTML("\\(a <b>\\) \\[1 \\*")).toBe("<p><var>\\(a &lt;b&gt;\\)</var> [1 *</p>\n");
});

test("blocks keep what belongs together", () => {
  const texts = (text: string): string[] => splitBlocks(text).map((block) => block.text);
  expect(texts("a\nb\n\nc")).toEqual(["a\nb\n", "c"]);
  expect(texts("1. a\n\n   b\n\n2. c\n\nd")).toEqual(["1. a\n\n   b\n\n2. c\n", "d"]);
  expect(texts("a:\n- b\n\n- c")).toEqual(["a:\n- b\n\n- c"]);
  expect(texts("    a\n\n    b\n\nc")).toEqual(["    a\n\n    b\n", "c"]);
  expect(texts("a\n```\nb\n\n- c\n```\nd")).toEqual(["a\n", "```\nb\n\n- c\n```\n", "d"]);
  expect(texts("- a\n  ```\n  b\n\n  c\n  ```\n- d")).toEqual(["- a\n  ```\n  b\n\n  c\n  ```\n- d"]);
  expect(texts("~~~\n```\n~~\n~~~~\na")).toEqual(["~~~\n```\n~~\n~~~~\n", "a"]);
  expect(texts("```\n    ```\n````\na")).toEqual(["```\n    ```\n````\n", "a"]);
  expect(texts("```a```b\n\nc")).toEqual(["```a```b\n", "c"]);
});

test("code in fences: without its end, indented, empty", () => {
  expect(markdownToHTML("```\n<b>")).toBe("<pre><code>&lt;b&gt;\n</code></pre>\n");
  expect(markdownToHTML("  ~~~js\n    a\n b\n  ~~~")).toBe("<pre><code>  a\nb\n</code></pre>\n");
  expect(markdownToHTML("```")).toBe("<pre><code>\n</code></pre>\n");
});

test("boxes of task lists are text, as fields are no output", () => {
  const html = markdownToHTML("- [ ] open\n- [x] done");
  expect(html).not.toContain("<input");
  expect(html.replaceAll(/<[^>]+>|\n/g, "")).toBe("☐ open☑ done");
});

test("a link may be defined in another block", () => {
  expect(markdownToHTML("See [it][1].\r\n\r\n[1]: https://example.org")).toContain(
    'href="https://example.org"',
  );
  expect(markdownToHTML("```\n[1]: https://example.org\n```\n[it][1]")).not.toContain("href");
});

test("a reply that grows renders only its last block again", () => {
  const rendered: string[] = [];
  const shown: string[] = [];
  const place = {
    append: (...nodes: { html: string }[]) => void shown.push(...nodes.map(({ html }) => html)),
  };
  const toNodes = (part: Part) => {
    rendered.push(part.block.text);
    const html = partToHTML(part);
    return [{ html, remove: () => void shown.splice(shown.indexOf(html), 1) }];
  };
  const parts = new RenderedParts<{ html: string; remove(): void }>(place, toNodes);
  const text = "# Title\n\nSome *words*.\n\n```\ncode\n\nmore\n```\n\nThe end.";
  for (let end = 0; end <= text.length; end += 1) parts.show(text.slice(0, end));
  expect(shown.join("")).toBe(markdownToHTML(text));
  expect(rendered.length).toBeLessThan(text.length + 4);
  expect(rendered.filter((block) => block.startsWith("# Title")).length).toBeLessThanOrEqual(
    "# Title\n".length,
  );
  rendered.length = 0;
  parts.show(`${text}\n\nNo.`);
  parts.show("Another.");
  expect(rendered).toEqual(["The end.\n", "No.", "Another."]);
  expect(shown.join("")).toBe("<p>Another.</p>\n");
});
