/** Each command explains itself, and a wrong argument. */

import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";

test.each(["bridge", "chat", "hub", "site", "soak", "start"])(
  "%s: --help and an unknown option",
  async (name) => {
    const help = startCommand(`${name}.ts`, ["--help"]);
    expect(await help.ended).toBe(0);
    expect(help.output().stdout).toMatch(/^Usage: npm .*\n\n[A-Z]/);
    const wrong = startCommand(`${name}.ts`, ["--prot", "1"]);
    expect(await wrong.ended).toBe(1);
    expect(wrong.output().stderr).toMatch(/^infetch: Unknown option '--prot'[\s\S]*\nUsage: npm /);
  },
);

test("model-manifest: --help and wrong arguments", async () => {
  const help = startCommand("model-manifest/main.ts", ["--help"]);
  expect(await help.ended).toBe(0);
  expect(help.output().stdout).toMatch(/^Usage: model-manifest\.js .*\n\n[A-Z]/);
  const wrong: [args: string[], message: RegExp][] = [
    [["--base", "a/b"], /^infetch: Unknown option '--base'[\s\S]*\nUsage: model-manifest\.js /],
    [[], /^infetch: Name one folder/],
    [["model", "--context-window", "0"], /^infetch: --context-window must be a number of tokens, not "0"/],
  ];
  for (const [args, message] of wrong) {
    const command = startCommand("model-manifest/main.ts", args);
    expect(await command.ended).toBe(1);
    expect(command.output().stderr).toMatch(message);
  }
});
