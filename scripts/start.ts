/** `npm start [-- --port N]`: builds if need be and serves the demo on loopback. */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { closeOnSignal, parsePort, runCommand } from "./command.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { closeServer, createStaticServer, listen } from "./static-server.ts";

await runCommand(async () => {
  const { values } = parseArgs({ options: { port: { type: "string" } } });
  const port = parsePort(values.port, 4321);
  await ensureBuilt();
  const server = createStaticServer({ "/": resolve(import.meta.dirname, "../.build/demo") });
  closeOnSignal(() => closeServer(server));
  console.log(`infetch demo: ${await listen(server, port)}/`);
});
