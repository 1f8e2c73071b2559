import { readdir, readFile } from "node:fs/promises";

/** Private memory of the processes below `root`, in MiB (Linux). */
export async function privateMemory(root: number): Promise<number> {
  let kibibytes = 0;
  for (const id of await descendants(root)) {
    const text = await readFile(`/proc/${id}/smaps_rollup`, "utf8").catch(() => "");
    for (const [, amount] of text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm))
      kibibytes += Number(amount);
  }
  return kibibytes / 1024;
}

async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, "utf8").catch(() => "") : "";
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent) parents.set(Number(name), Number(parent));
  }
  const isBelow = (id: number | undefined): boolean =>
    id !== undefined && (id === root || isBelow(parents.get(id)));
  return [...parents.keys()].filter((id) => isBelow(id));
}

/** Runs `work`. @returns its value, and the peak memory of these processes above the starting level, in MiB */
export async function peakMemory<T>(
  root: number,
  work: () => Promise<T>,
): Promise<{ value: T; peak: number }> {
  const before = await privateMemory(root);
  let most = before;
  let isOver = false;
  const measuring = (async () => {
    while (!isOver) most = Math.max(most, await privateMemory(root));
  })();
  try {
    const value = await work();
    return { value, peak: Math.round(most - before) };
  } finally {
    isOver = true;
    await measuring;
  }
}
