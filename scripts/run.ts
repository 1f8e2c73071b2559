import { spawn } from "node:child_process";

/** Runs a command with its output shown, all of it on stderr if so wished. Rejects when it fails; ends with us. */
export function run(
  command: string,
  args: string[],
  cwd: string,
  output: "inherit" | "stderr" = "inherit",
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stdout = output === "stderr" ? process.stderr : "inherit";
    const child = spawn(command, args, { cwd, stdio: ["inherit", stdout, "inherit"] });
    const endChild = (): void => void child.kill();
    process.once("exit", endChild);
    child.on("error", reject);
    child.on("exit", (code) => {
      process.off("exit", endChild);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}
