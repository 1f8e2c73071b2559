/** Processes of a browser. */

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
