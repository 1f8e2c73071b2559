/** Every documented command has a run (`commands.slow.test.ts`), and every linked file and anchor exists. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../site/anchor.ts";
import { blocksIn, linkedDocuments, root } from "./support/blocks.ts";
import { COMMAND_RUNS, documentedCommands } from "./support/command-runs.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

test("every command of the documents is run as it stands, and nothing else is", () => {
  expect(Object.keys(COMMAND_RUNS).sort()).toEqual([...documentedCommands].sort());
});

test("every script that a document names is in package.json", () => {
  for (const path of linkedDocuments) {
    const ofExample = path.startsWith("examples/") ? "examples/rag/" : "";
    const { scripts } = JSON.parse(read(`${ofExample}package.json`));
    for (const [, name] of read(path).matchAll(/npm run ([\w:]+)/g))
      expect(scripts, path).toHaveProperty([name!]);
  }
});

test("no block is in a language that nothing runs", () => {
  const run = new Set(["ts", "sh", "json"]);
  for (const { name, language } of blocksIn()) {
    // Guides whose own tests build their files.
    const isApp = /^docs\/(testing|frameworks)\.md/.test(name);
    const isKnown = run.has(language) || language === "text" || isApp;
    expect(isKnown, `${name}: ${language}`).toBe(true);
  }
});

test("every line of JSON that a document shows is JSON", () => {
  const blocks = blocksIn("json");
  expect(blocks.length).toBeGreaterThan(0);
  for (const { name, code } of blocks) {
    // One document, or JSON Lines.
    const parse = (): void => void JSON.parse(code);
    const isWhole = !code.trim().includes("\n{");
    if (isWhole) expect(parse, name).not.toThrow();
    else
      for (const line of code.trim().split("\n"))
        expect(() => JSON.parse(line), `${name}: ${line}`).not.toThrow();
  }
});

test.each(linkedDocuments)("%s: every link leads somewhere", (path) => {
  const text = read(path).replaceAll(/^```.*?^```/gms, "");
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target!)) continue;
    const [file, anchor] = target!.split("#");
    const full = file ? join(dirname(join(root, path)), file) : join(root, path);
    expect(existsSync(full), `${path} → ${target}`).toBe(true);
    if (!anchor) continue;
    const headings = [...readFileSync(full, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
      anchorOf(text!),
    );
    expect(headings, `${path} → ${target}`).toContain(anchor);
  }
});

test.each(linkedDocuments)("%s: every file of the project that it names is there", (path) => {
  const named = read(path).matchAll(
    /`((?:src|worker|demo|test|scripts|bench|models|docs|site|examples)\/[\w./-]+)`/g,
  );
  for (const [, name] of named) expect(existsSync(join(root, name!)), `${path}: ${name}`).toBe(true);
});
