/** Each command explains itself, and a wrong argument. */

import { beforeAll, expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import type { CommandResult } from "./support/run-commands.ts";

const NAMES = ["bridge", "chat", "hub", "site", "soak", "start"];
const MANIFEST = "model-manifest/main.ts";
const WRONG_OF_MANIFEST: [args: string[], message: RegExp][] = [
  [["--base", "a/b"], /^infetch: Unknown option '--base'[\s\S]*\nUsage: model-manifest\.js /],
  [[], /^infetch: Name one folder/],
  [["model", "--context-window", "0"], /^infetch: --context-window must be a number of tokens, not "0"/],
];

const COMMANDS = [
  ...NAMES.flatMap((name) => [
    [`${name}.ts`, "--help"],
    [`${name}.ts`, "--prot", "1"],
  ]),
  [MANIFEST, "--help"],
  ...WRONG_OF_MANIFEST.map(([args]) => [MANIFEST, ...args]),
];

let results: CommandResult[];
beforeAll(async () => {
  const all = startCommand("../test/scripts/support/run-commands.ts", [JSON.stringify(COMMANDS)]);
  expect(await all.ended, all.output().stderr).toBe(0);
  results = JSON.parse(all.output().stdout);
});

function resultOf(file: string, ...args: string[]): CommandResult {
  return results[COMMANDS.findIndex((one) => String(one) === String([file, ...args]))]!;
}

test.each(NAMES)("%s: --help and an unknown option", (name) => {
  const help = resultOf(`${name}.ts`, "--help");
  expect(help.status).toBe(0);
  expect(help.stdout).toMatch(/^Usage: npm .*\n\n[A-Z]/);
  const wrong = resultOf(`${name}.ts`, "--prot", "1");
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toMatch(/^infetch: Unknown option '--prot'[\s\S]*\nUsage: npm /);
});

test("model-manifest: --help and wrong arguments", () => {
  const help = resultOf(MANIFEST, "--help");
  expect(help.status).toBe(0);
  expect(help.stdout).toMatch(/^Usage: model-manifest\.js .*\n\n[A-Z]/);
  for (const [args, message] of WRONG_OF_MANIFEST) {
    const wrong = resultOf(MANIFEST, ...args);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(message);
  }
});
