/** Processes of a browser. */

import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { poll } from "./poll.ts";

/** Kills a process. Resolves once it has ended. */
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

/** Ids of the processes that `parent` has started from an executable of that name (Linux). */
export async function childrenOf(parent: number, name: string): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(
    ids.map(async (id) => {
      const read = (file: string) => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "");
      const [stat, command] = await Promise.all([read("stat"), read("cmdline")]);
      const isChild = Number(/\) \S (\d+)/.exec(stat)?.[1]) === parent;
      return isChild && basename(command.split("\0")[0]!) === name;
    }),
  );
  return ids.filter((_, at) => found[at]);
}
