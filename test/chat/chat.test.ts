/** `npm run chat` as a process without a terminal. */

import { expect, test } from "vitest";
import { printable } from "../../scripts/chat/reply.ts";
import { startCommand } from "../support/command.ts";

const SUMMARY =
  /\n\[infetch-tiny: (\d+) prompt \+ (\d+) completion = (\d+) tokens, \d+\.\d tokens\/s, first token after \d+\.\d\d s\]\n/;

test("one message: the reply, one line of usage, the load on stderr", async () => {
  const chat = startCommand("chat.ts", ["Hello!"], "");
  expect(await chat.ended).toBe(0);
  const { stdout, stderr } = chat.output();
  const [, prompt, completion, total] = SUMMARY.exec(stdout)!.map(Number);
  expect(prompt! + completion!).toBe(total);
  expect(completion).toBeGreaterThan(0);
  expect(stdout.trim().split("\n").length).toBeGreaterThan(1);
  expect(stderr).toMatch(/infetch-tiny: reading \d+ %.*\n(.*\n)*infetch-tiny: ready\n/);
});

test("lines on stdin are a conversation: the second prompt holds the first turn", async () => {
  const chat = startCommand("chat.ts", [], "Hello!\n\nWhat is 2 + 3?\n");
  expect(await chat.ended).toBe(0);
  const prompts = [...chat.output().stdout.matchAll(new RegExp(SUMMARY, "g"))].map((match) =>
    Number(match[1]),
  );
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toBeGreaterThan(prompts[0]! + 5);
});

test("a model that does not exist is an error that says what to do", async () => {
  const chat = startCommand("chat.ts", ["--model", "gpt-9", "Hello!"], "");
  expect(await chat.ended).toBe(1);
  expect(chat.output().stderr).toContain("The model 'gpt-9' does not exist");
  expect(chat.output().stderr).toContain("Leave --model out");
});

test("a reply cannot drive the terminal", () => {
  expect(printable("a\u001b[2Jb\r\n\tc\u0007\u009b")).toBe("a�[2Jb�\n\tc��");
});
