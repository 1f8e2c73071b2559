/**
 * `infetch/webpack`: the package's workers, engines and models in the output of webpack 5 or Rspack.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Compiler, sources, WebpackPluginInstance } from "webpack";
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
  /** Read once: webpack compares sources by identity, also in watch mode. */
  #sources: Promise<[path: string, content: Buffer][]> | undefined;
  readonly #emitted = new Map<string, sources.RawSource>();

  /** @param options engines and folder; all engines by default */
  constructor(options: AssetOptions = {}) {
    this.#options = options;
    this.#folder = folderOf(options);
  }

  /** Called by webpack. */
  apply(compiler: Compiler): void {
    const loader = { loader: join(distFolder, "webpack-loader.js"), options: { folder: this.#folder } };
    compiler.options.module.rules.push({ test: locatesFiles, use: [loader] });
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage }, async () => {
        this.#sources ??= this.#read();
        for (const [path, content] of await this.#sources) {
          const source = this.#emitted.get(path) ?? new compiler.webpack.sources.RawSource(content);
          this.#emitted.set(path, source);
          // Marked as minimized: they are, and minimizers would take minutes to find out.
          compilation.emitAsset(`${this.#folder}/${path}`, source, { minimized: true });
        }
      });
    });
  }

  async #read(): Promise<[path: string, content: Buffer][]> {
    const paths = await packageFiles(this.#options.engines);
    return Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(join(distFolder, path))]),
    );
  }
}
