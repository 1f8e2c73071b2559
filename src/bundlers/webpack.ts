/**
 * `infetch/webpack`: the package's workers, engines and models in the output of webpack 5 or Rspack.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AssetInfo, Compiler, sources, WebpackPluginInstance } from "webpack";
import { type AssetOptions, folderOf, locatesFiles } from "./asset-folder.ts";
import { distFolder, type EngineFiles, packageFiles } from "./package-files.ts";

export type { AssetOptions, EngineFiles };

const NAME = "infetch";

/**
 * Plugin for webpack 5 and Rspack: emits the package's files and tells `createRuntime()` where they are.
 *
 * @example
 * import { InfetchPlugin } from "infetch/webpack";
 * export default { plugins: [new InfetchPlugin({ engines: ["webllm"] })] };
 * @throws {TypeError} for an unknown engine or a folder outside of the output
 */
export class InfetchPlugin implements WebpackPluginInstance {
  readonly #options: AssetOptions;
  readonly #folder: string;
  /** By path; read once, because webpack in watch mode rewrites assets whose source is another object. */
  #sources: Promise<Map<string, sources.RawSource>> | undefined;

  /** @param options engines and folder; all engines by default */
  constructor(options: AssetOptions = {}) {
    this.#options = options;
    this.#folder = folderOf(options);
  }

  /** Called by webpack. */
  apply(compiler: Compiler): void {
    const loader = { loader: join(distFolder, "webpack-loader.js"), options: { folder: this.#folder } };
    compiler.options.module.rules.push({ test: locatesFiles, use: [loader] });
    // After the defaults are applied, and before the limits are read.
    compiler.hooks.afterEnvironment.tap(NAME, () => this.#exemptFromSizeLimits(compiler.options));
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage }, async () => {
        this.#sources ??= this.#read(compiler);
        for (const [path, source] of await this.#sources) {
          // Marked as minimized: they are, and minimizers would take minutes to find out.
          compilation.emitAsset(`${this.#folder}/${path}`, source, { minimized: true });
        }
      });
    });
  }

  /** An app cannot make these files smaller, and most load on demand: a warning would help no one. */
  #exemptFromSizeLimits({ performance }: Compiler["options"]): void {
    if (!performance) return;
    const { assetFilter = isDeployed } = performance;
    performance.assetFilter = (name, source, info) =>
      !name.startsWith(`${this.#folder}/`) && assetFilter(name, source, info);
  }

  async #read({ webpack }: Compiler): Promise<Map<string, sources.RawSource>> {
    const read = new Map<string, sources.RawSource>();
    for (const path of await packageFiles(this.#options.engines))
      read.set(path, new webpack.sources.RawSource(await readFile(join(distFolder, path))));
    return read;
  }
}

/** The default filter of webpack, and of Rspack, which passes only the name. */
function isDeployed(name: string, _source: sources.Source, info?: AssetInfo): boolean {
  return info ? !info.development : !name.endsWith(".map");
}
