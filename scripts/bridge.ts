/** `npm run bridge -- --port 8787 [--key KEY] [--config options.json]`: HTTP server for the runtime in a page. */

import { parseArgs } from "node:util";
import { type Bridge, startBridge } from "./bridge/bridge.ts";
import { ensureBuilt } from "./build/ensure-built.ts";
import { closeOnSignal, parsePort, readOptions, runCommand } from "./shared/command.ts";

const USAGE = `Usage: npm run bridge -- [--port 8787] [--key KEY] [--config options.json]

Serves the runtime of a browser page over HTTP on this machine, for any OpenAI client. --port 0 picks a free port, --key
sets the API key (default: a new one), --config names a JSON file with options of createRuntime().`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: { port: { type: "string" }, key: { type: "string" }, config: { type: "string" } },
  });
  const port = parsePort(values.port, 8787);
  if (values.key !== undefined && !/^\S+$/.test(values.key)) {
    throw new Error("--key must have no spaces: it is sent as a bearer token.");
  }
  const runtimeOptions = values.config === undefined ? {} : await readOptions(values.config);
  let starting: Promise<Bridge> | undefined;
  closeOnSignal(async () => (await starting?.catch(() => undefined))?.close());
  await ensureBuilt();
  starting = startBridge({ port, key: values.key, runtimeOptions });
  const bridge = await starting;
  console.log(`ready ${bridge.baseURL} key=${bridge.apiKey}`);
  // Exiting ends the remaining browser processes.
  throw new Error(`${await bridge.died}. Start the bridge again.`);
}, USAGE);
