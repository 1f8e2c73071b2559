/** Serves a built app: its folder as static files, or its own server. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { closeServer, createStaticServer, listen } from "../../../scripts/servers/static-server.ts";
import { terminalEnvironment } from "./empty-folder.ts";

export interface Served {
  address: string;
  close(): Promise<void>;
}

export async function serveStatic(folder: string, output: string): Promise<Served> {
  const server = createStaticServer({ "/": join(folder, output) });
  return { address: `${await listen(server, 0)}/`, close: () => closeServer(server) };
}

/**
 * Starts a server's command and waits until it responds.
 *
 * @param line with `$PORT`
 * @throws if it ends instead, with its output
 */
export async function serveWith(folder: string, line: string): Promise<Served> {
  const port = await freePort();
  const env = { ...terminalEnvironment(), PORT: String(port) };
  // A group of its own: the command starts others.
  const child = spawn("/bin/sh", ["-c", line], { cwd: folder, env, detached: true });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const address = `http://127.0.0.1:${port}/`;
  while (!(await fetch(address).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    address,
    async close() {
      process.kill(-child.pid!);
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
