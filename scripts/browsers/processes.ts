/** Processes of a browser (Linux). */

import { readdir, readFile } from "node:fs/promises";
import { poll } from "./poll.ts";

/** Clock ticks (1/100 s) that the main threads of a process's running children of this name have used, by their ids. */
export async function ticksOfChildren(parent: number, name: string): Promise<Map<number, number>> {
  const ticks = new Map<number, number>();
  for (const id of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: id (name) state parent … 14: user mode ticks
    const stat = await readFile(`/proc/${id}/task/${id}/stat`, "utf8").catch(() => "");
    const [, itsName, rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    const fields = rest.split(" ");
    if (itsName === name && Number(fields[1]) === parent && !"ZX".includes(fields[0]!))
      ticks.set(Number(id), Number(fields[11]));
  }
  return ticks;
}

/** Resolves once the process has ended. */
export async function killProcess(id: number): Promise<void> {
  process.kill(id, "SIGKILL");
  const look = async (): Promise<true | undefined> => (isRunning(id) ? undefined : true);
  await poll(look, { everyMs: 5, attempts: 2_000, failure: `Process ${id} does not end.` });
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
