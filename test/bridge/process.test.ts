/** Start and shutdown of the bridge. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closeServer, listen } from "../../scripts/servers/static-server.ts";
import {
  browserOf,
  type Command,
  descendantsOf,
  isAlive,
  startCommand,
  startNpmScript,
} from "../support/command.ts";

const READY = /^ready http:\/\/127\.0\.0\.1:\d+\/v1 key=infetch-[A-Za-z0-9]{16}-[A-Za-z0-9]{32}\n$/;

async function expectCleanEnd(bridge: Command, signal: NodeJS.Signals): Promise<void> {
  await bridge.waitFor(READY);
  const below = descendantsOf(bridge.process.pid!);
  expect(below.length).toBeGreaterThan(1);
  bridge.process.kill(signal);
  expect(await bridge.ended).toBe(0);
  await expect.poll(() => below.filter(isAlive)).toEqual([]);
  expect(bridge.output().stdout).toMatch(READY);
}

test.each(["SIGTERM", "SIGINT"] as const)("%s ends it with 0, and nothing of it is left", (signal) =>
  expectCleanEnd(startCommand("bridge.ts", ["--port", "0"]), signal),
);

test("a SIGTERM to npm ends everything below it too", () =>
  expectCleanEnd(startNpmScript("bridge", ["--port", "0"]), "SIGTERM"));

test("a browser that dies is reported, with 1", async () => {
  const bridge = startCommand("bridge.ts", ["--port", "0"]);
  await bridge.waitFor(READY);
  process.kill(browserOf(bridge.process.pid!), "SIGKILL");
  expect(await bridge.ended).toBe(1);
  expect(bridge.output().stderr).toMatch(/infetch: the (browser|page).*Start the bridge again\./);
});

test("a port that is taken is said before a browser is started", async () => {
  const server = createServer();
  const port = new URL(await listen(server, 0)).port;
  const bridge = startCommand("bridge.ts", ["--port", port]);
  expect(await bridge.ended).toBe(1);
  expect(bridge.output()).toEqual({
    stdout: "",
    stderr: expect.stringContaining(`infetch: Port ${port} is taken. Choose another one with --port`),
  });
  await closeServer(server);
});

test("arguments and options that make no sense are refused with a reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infetch-bridge-"));
  const file = join(folder, "options.json");
  const refusal = async (...args: string[]): Promise<string> => {
    const bridge = startCommand("bridge.ts", args);
    expect(await bridge.ended).toBe(1);
    return bridge.output().stderr;
  };
  expect(await refusal("--port", "many")).toContain("--port must be a number");
  expect(await refusal("--key", "two words")).toContain("--key must have no spaces");
  expect(await refusal("--config", join(folder, "none.json"))).toContain("ENOENT");
  await writeFile(file, "[]");
  expect(await refusal("--config", file)).toContain("must hold an object");
  await writeFile(file, '{"maxQueuedRequests":0}');
  expect(await refusal("--port", "0", "--config", file)).toContain(
    "maxQueuedRequests must be a whole number",
  );
  await rm(folder, { recursive: true });
});
