import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/**
 * Defines `__ENGINE_BUILD__`: the engine's part of `system_fingerprint`, beside the model's files.
 *
 * @param name the engine's npm package
 */
export function engineBuild(name: string): Record<string, string> {
  const versionOf = (folder: string): string =>
    JSON.parse(readFileSync(resolve(root, folder, "package.json"), "utf8")).version;
  const build = `infetch ${versionOf(".")}, ${name} ${versionOf(`node_modules/${name}`)}`;
  return { __ENGINE_BUILD__: JSON.stringify(build) };
}
