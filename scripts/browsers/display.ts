/** A virtual X display, for a browser that has no headless mode. */

import { type ChildProcess, spawn } from "node:child_process";

export interface Display {
  process: ChildProcess;
  /** Environment of programs that shall use it. */
  environment: NodeJS.ProcessEnv;
}

/** @throws if Xvfb does not start */
export async function startDisplay(xvfb: string): Promise<Display> {
  const args = ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"];
  const child = spawn(xvfb, args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  return { process: child, environment: { ...process.env, DISPLAY: `:${await firstLine(child)}` } };
}

/** First line that a process writes to its fourth stream. */
async function firstLine(child: ChildProcess): Promise<string> {
  const died = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
  died.catch(() => {});
  const read = (async () => {
    let text = "";
    for await (const piece of child.stdio[3] as NodeJS.ReadableStream) {
      text += String(piece);
      if (text.includes("\n")) break;
    }
    return text.split("\n")[0]!;
  })();
  return Promise.race([read, died]);
}
