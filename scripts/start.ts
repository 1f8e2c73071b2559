/**
 * `npm start [-- --port N] [--allow ORIGIN …]`: builds if needed and serves the console on loopback. Its CSP
 * restricts fetches to its own origin unless others are allowed: hub models require the hub's.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./build/ensure-built.ts";
import { closeServer, createStaticServer, listen } from "./servers/static-server.ts";
import { closeOnSignal, parsePort, runCommand } from "./shared/command.ts";

const USAGE = `Usage: npm start -- [--port 4321] [--allow ORIGIN]...

Builds if needed and serves the console on this machine. --allow lets its pages fetch from another origin, such as a hub.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: { port: { type: "string" }, allow: { type: "string", multiple: true, default: [] } },
  });
  const port = parsePort(values.port, 4321);
  const allowed = values.allow.map(parseSource);
  await ensureBuilt();
  const server = createStaticServer({ "/": resolve(import.meta.dirname, "../.build/demo") }, allowed);
  closeOnSignal(() => closeServer(server));
  console.log(`infetch demo: ${await listen(server, port)}/`);
}, USAGE);

/** Scheme and host, optionally starting with `*.`; anything else could inject another directive. */
function parseSource(text: string): string {
  if (/^https?:\/\/(\*\.)?[\w.-]+(:\d+)?$/.test(text)) return text;
  throw new Error(`--allow takes an origin such as https://models.example, not "${text}".`);
}
