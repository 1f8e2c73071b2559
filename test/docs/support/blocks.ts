/** The fenced blocks of the documents, verbatim. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");

export interface Block {
  /** For example `docs/keys.md:6`. */
  name: string;
  /** The fence's language. */
  language: string;
  code: string;
  /** Why it is not run: the text of `<!-- not run: … -->` before it. */
  notRun: string | undefined;
}

const pagesOf = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);

/** README.md, the pages of `docs/` and of `docs/guides/`: what they show is run. */
export const documents: readonly string[] = ["README.md", ...pagesOf("docs"), ...pagesOf("docs/guides")];

/** All documents: their links and paths must exist. */
export const linkedDocuments: readonly string[] = [
  ...documents,
  ...["CHANGELOG", "CONTRIBUTING", "SECURITY", "examples/README"].map((name) => `${name}.md`),
  ...["docs/decisions", "docs/reference"].flatMap(pagesOf),
  ...["library", "tiny-chat", "tiny-embed", "tiny-vision", "training"].map(
    (name) => `models/${name}/README.md`,
  ),
];

const FENCED = /(?:<!-- not run: (?<notRun>[^\n]*?) -->\n+)?^```(?<language>\w+)\n(?<code>.*?)^```$/gms;

/** The blocks of all documents in these languages. @default all languages */
export function blocksIn(...languages: string[]): Block[] {
  return documents.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return [...text.matchAll(FENCED)].flatMap((found) => {
      const { notRun, language, code } = found.groups as Record<string, string | undefined>;
      if (languages.length > 0 && !languages.includes(language!)) return [];
      const line = text.slice(0, found.index + found[0].indexOf("```")).split("\n").length;
      return [{ name: `${path}:${line}`, language: language!, code: withImports(code!), notRun }];
    });
  });
}

/** The file name in a block's first line, such as `// app.test.ts`. */
export function fileNameOf({ code }: Block): string | undefined {
  return /^\/\/ ([\w.-]+\.[jt]s)\b/.exec(code)?.[1];
}

/** Adds the imports of `createRuntime` and the SDK, which most snippets omit. */
function withImports(code: string): string {
  if (!code.includes("createRuntime(") || code.includes("import ")) return code;
  const sdk = code.includes("new OpenAI(") ? 'import OpenAI from "openai";\n' : "";
  return `import { createRuntime } from "infetch";\n${sdk}${code}`;
}
