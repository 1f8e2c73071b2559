/** h: bytes a page fetches before its first request, and per engine. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzippedKilobytes, workerScripts } from "../../scripts/shared/dist-sizes.ts";
import { distFolder } from "../../vite.config.ts";
import type { Figure } from "../figures.ts";
import type { Group } from "./group.ts";

export const bytes: Group = async () => {
  const figures = [
    await figure("page entry, gzipped", ["index.js"], 6),
    await figure("server worker with all that it starts with, gzipped", await workerScripts("server.js"), 60),
  ];
  const workers = (await readdir(join(distFolder, "worker"))).filter((name) => name.endsWith(".js")).sort();
  const parts = workers.filter((name) => name.startsWith("server-")).map((name) => `worker/${name}`);
  figures.push(await figure("parts of the server worker that come when they are needed, gzipped", parts));
  for (const name of ["webllm", "llamacpp", "transformers", "broker", "service-worker"]) {
    if (workers.includes(`${name}.js`)) {
      figures.push(await figure(`worker/${name}.js, gzipped`, [`worker/${name}.js`]));
    }
  }
  return figures;
};

async function figure(what: string, paths: readonly string[], goal?: number): Promise<Figure> {
  const kilobytes = await gzippedKilobytes(paths);
  return {
    group: "h",
    what,
    infetch: { what: paths.join(", "), value: kilobytes, unit: "KB" },
    result: { value: kilobytes, unit: "KB" },
    ...(goal === undefined ? {} : { goal: { bound: "at most", value: goal } }),
  };
}
