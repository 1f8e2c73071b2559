/** Builds of the library (page entry and workers) and of the demo. `scripts/build.ts` runs them in order. */

import { resolve } from "node:path";
import { defineConfig, type InlineConfig } from "vite";

const root = import.meta.dirname;
export const distFolder = resolve(root, "dist");

/** One self-contained ES module: `entry` becomes `dist/<name>.js`. Only `external` packages stay imports. */
export function moduleConfig(
  entry: string,
  name: string,
  define: Record<string, string> = {},
  external: string[] = [],
): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": '"production"', ...define },
    build: {
      outDir: distFolder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      minify: true,
      chunkSizeWarningLimit: 10_000,
      lib: { entry: resolve(root, entry), formats: ["es"], fileName: () => `${name}.js` },
      rolldownOptions: {
        external,
        // Vite leaves whitespace in ES libraries for the sake of bundlers' annotations: here there are none.
        output: { codeSplitting: false, minify: true },
      },
    },
  };
}

/** The demo: an app like any other, which uses the built package. */
export default defineConfig({
  root: resolve(root, "demo"),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  build: { outDir: resolve(root, ".build/demo"), emptyOutDir: true, target: "es2022" },
});
