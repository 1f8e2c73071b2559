/** `npm run chat -- "hello"`: prints a reply of the in-page runtime; without arguments, starts a conversation. */

import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import OpenAI from "openai";
import { type Bridge, startBridge } from "./bridge/bridge.ts";
import { ensureBuilt } from "./build/ensure-built.ts";
import { converse } from "./chat/converse.ts";
import { progressPrinter } from "./chat/progress.ts";
import { streamReply } from "./chat/reply.ts";
import { closeOnSignal, runCommand } from "./shared/command.ts";

const USAGE = `Usage: npm run chat -- [--model NAME] ["message"]

Prints the reply to a message; without one, starts a conversation.`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { model: { type: "string", default: "infetch-tiny" } },
    allowPositionals: true,
  });
  let starting: Promise<Bridge> | undefined;
  closeOnSignal(async () => (await starting?.catch(() => undefined))?.close());
  await ensureBuilt();
  starting = startBridge({ port: 0, onEvent: progressPrinter(process.stderr) });
  const bridge = await starting;
  void bridge.died.then((reason) => {
    console.error(`\ninfetch: ${reason}. Run the command again.`);
    process.exit(1);
  });
  const openai = new OpenAI({ apiKey: bridge.apiKey, baseURL: bridge.baseURL, maxRetries: 0 });
  const write = (text: string): void => void process.stdout.write(text);
  try {
    const said = positionals.join(" ");
    if (said !== "") await streamReply(openai, values.model, [{ role: "user", content: said }], write);
    else await converseOnStdin(openai, values.model, write);
  } finally {
    await bridge.close();
  }
}, USAGE);

/** Reads stdin to its end. Exits with 1 if a line of a file or pipe failed. */
async function converseOnStdin(openai: OpenAI, model: string, write: (text: string) => void): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) console.error("Write a line and press Enter; Ctrl-D ends the conversation.");
  const lines = createInterface({ input: process.stdin, terminal: false });
  const failures = await converse(openai, model, lines, {
    write,
    complain: (text) => console.error(text),
    ask: () => void (isTerminal && process.stderr.write("> ")),
  });
  if (failures > 0 && !isTerminal) process.exitCode = 1;
}
