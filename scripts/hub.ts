/**
 * `npm run hub -- FOLDER [--port N] [--gated NAME …] [--private NAME …] [--token TOKEN]`: serves a folder of models,
 * `FOLDER/<org>/<model>/…`, as the Hugging Face hub does.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type HubAccess, repositoriesIn } from "./hub/repository.ts";
import { StandInHub } from "./hub/stand-in-hub.ts";
import { closeOnSignal, parsePort, runCommand } from "./shared/command.ts";

const USAGE = `Usage: npm run hub -- FOLDER [--port 4323] [--gated NAME]... [--private NAME]... [--token TOKEN]

Serves a folder of models, FOLDER/<org>/<model>/..., as the Hugging Face hub does. --gated and --private restrict models
to requests with the --token.`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: "string" },
      gated: { type: "string", multiple: true, default: [] },
      private: { type: "string", multiple: true, default: [] },
      token: { type: "string" },
    },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0)
    throw new Error("Name one folder that has <org>/<model> in it.");
  const repositories = await repositoriesIn(resolve(folder));
  if (repositories.length === 0) throw new Error(`${folder} has no folder <org>/<model>.`);
  const named = new Map(repositories.map((one) => [one.name, one]));
  const restrict = (access: HubAccess, names: readonly string[]): void => {
    for (const name of names) {
      const repository = named.get(name);
      if (!repository) throw new Error(`--${access} ${name}: the folder has no such model.`);
      repository.access = access;
    }
  };
  restrict("gated", values.gated);
  restrict("private", values.private);
  const tokens = new Map(values.token === undefined ? [] : [[values.token, [...named.keys()]]]);
  const hub = await StandInHub.start(repositories, { port: parsePort(values.port, 4323), tokens });
  closeOnSignal(() => hub.close());
  console.log(`infetch hub: ${hub.url} (large files: ${hub.cdnOrigin})`);
  for (const { name, access } of repositories) console.log(`  ${name} (${access})`);
}, USAGE);
