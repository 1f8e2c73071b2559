import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Output of a command: inherited, all to stderr, or prefixed by line. */
type Output = "inherit" | "stderr" | { prefix: string };

/** Output lines quoted in an error. */
const MAX_QUOTED = 25;

/** Runs a command, killed with this process. Rejects if it fails, quoting its last lines if prefixed. */
export function run(command: string, args: string[], cwd: string, output: Output = "inherit"): Promise<void> {
  return new Promise((resolve, reject) => {
    const isPrefixed = typeof output === "object";
    const stdout = isPrefixed ? "pipe" : output === "stderr" ? process.stderr : "inherit";
    const stderr = isPrefixed ? "pipe" : "inherit";
    const child = spawn(command, args, { cwd, stdio: ["inherit", stdout, stderr] });
    const lastLines: string[] = [];
    if (isPrefixed)
      for (const stream of [child.stdout, child.stderr])
        onLine(stream!, (line) => {
          process.stdout.write(`${output.prefix}${line}\n`);
          lastLines.push(line);
          if (lastLines.length > MAX_QUOTED) lastLines.shift();
        });
    const endChild = (): void => void child.kill();
    process.once("exit", endChild);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", endChild);
      if (code === 0) resolve();
      else reject(new Error([`${command} ${args.join(" ")} ended with ${code}`, ...lastLines].join("\n")));
    });
  });
}

/** Calls the listener with each line of a process's output, as it comes. */
export function onLine(stream: Readable, listener: (line: string) => void): void {
  createInterface({ input: stream }).on("line", listener);
}
