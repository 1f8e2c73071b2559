/** Writes NOTICE: the licenses of all bundled packages. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";

const root = resolve(import.meta.dirname, "../..");
const modulesFolder = resolve(root, "node_modules");

/** Code that a bundled package inlines, so that its modules are not visible to the bundler. */
const INLINED: Record<string, { name: string; copyright: string; license: string }[]> = {
  "@mlc-ai/web-llm": [
    {
      name: "Apache TVM (tvmjs)",
      copyright: "Copyright 2017-2026 The Apache Software Foundation and the TVM contributors",
      license: "Apache-2.0",
    },
    { name: "XGrammar (web-xgrammar)", copyright: "Copyright 2024-2026 MLC AI", license: "Apache-2.0" },
    {
      name: "tokenizers-cpp (web-tokenizers), with Hugging Face tokenizers and SentencePiece",
      copyright:
        "Copyright 2023-2026 MLC AI; Copyright 2019-2026 Hugging Face Inc.; Copyright 2016 Google Inc.",
      license: "Apache-2.0",
    },
  ],
  "@wllama/wllama": [
    {
      name: "llama.cpp and ggml (wllama.wasm, also as @wllama/wllama-compat)",
      copyright: "Copyright (c) 2023-2026 The ggml authors",
      license: "MIT",
    },
    { name: "JSON for Modern C++", copyright: "Copyright (c) 2013-2026 Niels Lohmann", license: "MIT" },
  ],
};

const bundled = new Set<string>();

/** Records the packages of a bundle's modules. */
export const noteBundledPackages: Plugin = {
  name: "infetch-note-bundled-packages",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
        const name = packageOf(id);
        if (name !== undefined && renderedLength > 0) bundled.add(name);
      }
    }
  },
};

function packageOf(id: string): string | undefined {
  const path = id.split("/node_modules/").at(-1);
  if (path === undefined || path === id) return undefined;
  const [scope = "", name = ""] = path.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/** Writes the file for all bundles so far. @throws if none was recorded */
export function writeNotice(): void {
  if (bundled.size === 0) throw new Error("NOTICE: no bundled package was seen.");
  const head = [
    "infetch",
    "Copyright 2026 the infetch authors",
    "",
    "The files in dist/ contain code of the following packages, each under its own licence.",
    "This file is written by the build.",
  ];
  const sections = [...bundled].sort().map(describePackage);
  writeFileSync(resolve(root, "NOTICE"), `${[head.join("\n"), ...sections].join("\n\n")}\n`);
}

function describePackage(name: string): string {
  const folder = join(modulesFolder, name);
  const facts = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license?: string;
  };
  const license = facts.license ?? "see its repository";
  const inlined = (INLINED[name] ?? []).map(
    (part) => `It contains ${part.name}. ${part.copyright}. Licence: ${part.license}.`,
  );
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  // The Apache license text is in LICENSE, beside this file.
  const text =
    license === "Apache-2.0"
      ? "The text of the licence is in LICENSE."
      : file === undefined
        ? "The package brings no licence text."
        : readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return [`── ${name} ${facts.version} (${license}) ──`, ...inlined, text].join("\n");
}
