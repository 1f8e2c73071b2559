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

test("model-manifest: --help", async () => {
  const help = startCommand("model-manifest/main.ts", ["--help"]);
  expect(await help.ended).toBe(0);
  expect(help.output().stdout).toMatch(/^Usage: model-manifest\.js .*\n\n[A-Z]/);
});
