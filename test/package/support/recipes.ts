/** How an app gets from an empty folder to a first reply with each bundler: commands and files, in order. */

import { blocksIn } from "../../docs/support/blocks.ts";
import { guideFiles } from "./guide-files.ts";

export interface Recipe {
  name: string;
  /** Beside `infetch`: package → version. The documented command has no versions. */
  packages: Record<string, string>;
  /** Beside `index.html` and the README's ten lines: path → text. */
  files: Record<string, string>;
  /** After `npm install`. */
  commands: string[];
  /** What is deployed: folders of the app. */
  output: string[];
  /** A server's command, for the port in `$PORT`; by default the only folder of `output` is served as static files. */
  serve?: string;
}

/** As the README has them. */
const TEN_LINES = blocksIn("ts").find(({ name }) => name.startsWith("README.md"))!.code;
/** With the address of copied files. */
const COPIED_LINES = TEN_LINES.replace("createRuntime()", 'createRuntime({ assetsURL: "/infetch/" })');

const page = (script: string): string => `<!doctype html>\n<title>chat</title>\n<body>${script}</body>\n`;
const modulePage = page('<script type="module" src="main.js"></script>');

const webpackConfig = `import { InfetchPlugin } from "infetch/webpack";

export default {
  mode: "production",
  plugins: [new InfetchPlugin({ engines: ["webllm"] })],
};
`;

const openai = "6.49.0";

export const recipes: Recipe[] = [
  {
    name: "Vite",
    packages: { openai, vite: "8.3.8" },
    files: {
      "index.html": modulePage,
      "main.js": TEN_LINES,
      // Vite warns of ESM syntax in a `.js` file if package.json does not have "type": "module".
      "vite.config.mjs":
        'import { infetch } from "infetch/vite";\n\nexport default { plugins: [infetch({ engines: ["webllm"] })] };\n',
    },
    commands: ["npx vite build"],
    output: ["dist"],
  },
  {
    name: "webpack",
    packages: { openai, webpack: "5.112.2", "webpack-cli": "7.3.1" },
    files: {
      "dist/index.html": page('<script src="main.js"></script>'),
      "src/index.js": TEN_LINES,
      "webpack.config.mjs": webpackConfig,
    },
    commands: ["npx webpack"],
    output: ["dist"],
  },
  {
    name: "Rspack",
    packages: { openai, "@rspack/core": "2.3.2", "@rspack/cli": "2.2.8" },
    files: {
      "dist/index.html": page('<script src="main.js"></script>'),
      "src/index.js": TEN_LINES,
      "rspack.config.mjs": webpackConfig,
    },
    commands: ["npx rspack build"],
    output: ["dist"],
  },
  {
    name: "Rsbuild",
    packages: { openai, "@rsbuild/core": "2.3.2" },
    files: {
      "src/index.js": TEN_LINES,
      "rsbuild.config.mjs": `import { InfetchPlugin } from "infetch/webpack";

export default { tools: { rspack: { plugins: [new InfetchPlugin({ engines: ["webllm"] })] } } };
`,
    },
    commands: ["npx rsbuild build"],
    output: ["dist"],
  },
  {
    name: "Parcel",
    // The SDK names Node's Buffer, which Parcel replaces by a package.
    packages: { openai, parcel: "2.16.4", buffer: "6.0.3" },
    files: { "index.html": modulePage, "main.js": COPIED_LINES },
    commands: ["npx parcel build index.html", "npx infetch copy dist/infetch --engines webllm"],
    output: ["dist"],
  },
  {
    name: "esbuild",
    packages: { openai, esbuild: "0.28.2" },
    files: { "dist/index.html": modulePage, "main.js": COPIED_LINES },
    commands: [
      "npx esbuild main.js --bundle --minify --format=esm --outdir=dist",
      "npx infetch copy dist/infetch --engines webllm",
    ],
    output: ["dist"],
  },
  {
    name: "Rollup",
    packages: { openai, rollup: "4.68.8", "@rollup/plugin-node-resolve": "16.0.3" },
    files: {
      "dist/index.html": modulePage,
      "main.js": COPIED_LINES,
      "rollup.config.mjs": `import resolve from "@rollup/plugin-node-resolve";

export default { input: "main.js", output: { dir: "dist" }, plugins: [resolve({ browser: true })] };
`,
    },
    commands: ["npx rollup --config", "npx infetch copy dist/infetch --engines webllm"],
    output: ["dist"],
  },
  {
    name: "Next.js",
    packages: { openai, next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
    files: {
      "app/layout.js": `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
      "app/page.js": guideFiles("docs/frameworks.md")["app/page.js"]!,
    },
    commands: ["npx infetch copy public/infetch --engines webllm", "npx next build"],
    output: [".next/static", "public"],
    serve: "npx next start -H 127.0.0.1 -p $PORT",
  },
];
