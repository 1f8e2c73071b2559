/** Shared by the commands: arguments and exit handling. */

import { readFile } from "node:fs/promises";

/** @throws {Error} unless `text` is a port number; undefined gives `preset` */
export function parsePort(text: string | undefined, preset: number): number {
  if (text === undefined) return preset;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535, not "${text}".`);
}

/** Reads a JSON file of options. @throws {Error} if it is not an object */
export async function readOptions(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read ${path}: ${error.code ?? error.message}. --config names a JSON file.`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error(`${path} must hold an object: the options of createRuntime().`);
}

/**
 * Runs a command; prints an error on stderr and exits with 1.
 *
 * @param usage printed for `--help`, and after an error in the arguments
 */
export async function runCommand(main: () => Promise<void>, usage = ""): Promise<void> {
  if (usage !== "" && process.argv.slice(2).some((one) => one === "--help" || one === "-h")) {
    console.log(usage);
    return;
  }
  try {
    await main();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    console.error(`infetch: ${message}`);
    if (usage !== "" && code?.startsWith("ERR_PARSE_ARGS")) console.error(usage);
    process.exit(1);
  }
}

/** Calls `close` on the first SIGINT or SIGTERM, then exits with 0. */
export function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  const onSignal = (): void => {
    if (closing) return;
    closing = true;
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}
