/**
 * Runs the grammar engine of web-llm's bundle in Node, so that grammars compile and accept text exactly as in
 * generation.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Constraint } from "../../worker/engine-api/constraint.ts";
import { responseFormat } from "../../worker/engines/webllm/slots/slot-grammar.ts";

interface Compiled {
  dispose(): void;
}

interface Matcher {
  _acceptString(text: string): boolean;
  isTerminated(): boolean;
  dispose(): void;
}

interface Bundle {
  TokenizerInfo: { createTokenizerInfo(table: string[]): Promise<unknown> };
  GrammarCompiler: { createGrammarCompiler(info: unknown, cache: boolean): Promise<Compiler> };
  GrammarMatcher: {
    createGrammarMatcher(grammar: Compiled, stops: undefined, endsAlone: boolean): Promise<Matcher>;
  };
}

interface Compiler {
  compileGrammar(ebnf: string): Promise<Compiled>;
  compileStructuralTag(tag: object): Promise<Compiled>;
}

/** Extracts xgrammar from web-llm's bundle, where it is a separate function. */
async function importBundle(): Promise<Bundle> {
  const bundle = readFileSync(createRequire(import.meta.url).resolve("@mlc-ai/web-llm"), "utf8");
  const begin = bundle.lastIndexOf("\nvar lib", bundle.indexOf("function requireLib$1 ()"));
  const module = bundle.lastIndexOf("\nvar lib", begin - 1);
  const end = bundle.indexOf("\n", bundle.indexOf("var libExports$1 = requireLib$1();"));
  const source = bundle.slice(module, end).replaceAll('"MLC_DUMMY_PATH"', "import.meta.url");
  const head =
    'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n';
  const folder = mkdtempSync(join(tmpdir(), "xgrammar-"));
  try {
    const file = join(folder, "xgrammar.mjs");
    writeFileSync(file, `${head}${source}\nexport default libExports$1;\n`);
    return ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: Bundle }).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether a text matches completely, is a prefix of a match, or cannot match. */
export type Verdict = "match" | "beginning" | "no";

export class GrammarEngine {
  /** Starting one takes half a second: files of tests that share a process share it. */
  static #loaded: Promise<GrammarEngine> | undefined;
  readonly #bundle: Bundle;
  readonly #compiler: Compiler;

  private constructor(bundle: Bundle, compiler: Compiler) {
    this.#bundle = bundle;
    this.#compiler = compiler;
  }

  static load(): Promise<GrammarEngine> {
    GrammarEngine.#loaded ??= GrammarEngine.#load();
    return GrammarEngine.#loaded;
  }

  static async #load(): Promise<GrammarEngine> {
    const bundle = await importBundle();
    const info = await bundle.TokenizerInfo.createTokenizerInfo([]);
    return new GrammarEngine(bundle, await bundle.GrammarCompiler.createGrammarCompiler(info, false));
  }

  /** @throws the engine's error if it cannot compile the constraint */
  async judge(constraint: Constraint, texts: readonly string[]): Promise<Verdict[]> {
    const compiled =
      constraint.type === "grammar"
        ? await this.#compiler.compileGrammar(constraint.ebnf)
        : await this.#compiler.compileStructuralTag(JSON.parse(responseFormat(constraint).structural_tag!));
    const verdicts: Verdict[] = [];
    for (const text of texts) {
      const matcher = await this.#bundle.GrammarMatcher.createGrammarMatcher(compiled, undefined, true);
      const accepted = matcher._acceptString(text);
      verdicts.push(accepted ? (matcher.isTerminated() ? "match" : "beginning") : "no");
      matcher.dispose();
    }
    compiled.dispose();
    return verdicts;
  }
}
