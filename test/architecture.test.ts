/** Architecture rules: no import cycles, one import direction, small files, no leftover to-do markers. */

import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSources, type SourceFile } from "./support/architecture/files.ts";
import { cyclesIn, importGraph } from "./support/architecture/graph.ts";
import { arrowsAgainst } from "./support/architecture/layers.ts";
import { leftovers, tooLong } from "./support/architecture/text.ts";

const root = resolve(import.meta.dirname, "..");
const product = readSources(root, ["src", "worker", "demo", "models", "bench", "scripts", "site"]);
const tests = readSources(root, ["test"]);

/** Not AssemblyScript, which compiles apart. */
const isHost = ({ path }: SourceFile) => !path.startsWith("models/library/assembly/");

const source = (path: string, text: string): SourceFile => ({ path, text });

test("no files import each other in a circle, types included", () => {
  const scripts = [...product, ...tests].filter(isHost);
  expect(scripts.length).toBeGreaterThan(60);
  expect(cyclesIn(importGraph(scripts))).toEqual([]);
});

test("imports go one way through the layers", () => {
  expect(arrowsAgainst(importGraph(product.filter(isHost)))).toEqual([]);
});

test("no file outgrew its room", () => {
  expect([...tooLong(product, 250), ...tooLong(tests, 400)]).toEqual([]);
});

test("nothing is left to do in the code", () => {
  expect(leftovers([...product, ...tests])).toEqual([]);
});

test("a cycle is found, through types, re-exports and dynamic imports", () => {
  const graph = importGraph([
    source("a.ts", 'import type { B } from "./b.ts"; export type A = B;'),
    source("b.ts", 'export * from "./folder/c.ts"; export type B = 1;'),
    source("folder/c.ts", 'export const load = () => import("../d.ts");'),
    source("d.ts", 'export type D = typeof import("./a.ts");'),
    source("apart.ts", 'import "./a.ts"; import "some-package";'),
    source("self.ts", 'import "./self.ts";'),
  ]);
  expect(cyclesIn(graph)).toEqual([["a.ts", "b.ts", "d.ts", "folder/c.ts"], ["self.ts"]]);
});

test("an arrow against the layers is found", () => {
  const graph = importGraph([
    source("worker/usage/ledger/events.ts", 'import type { H } from "../../http/sse.ts"; export type E = H;'),
    source("worker/http/sse.ts", 'import { EngineError } from "../engine-api/engine-error.ts"; EngineError;'),
    source("worker/engine-api/engine-error.ts", 'import { generate } from "../generation/generate.ts";'),
    source(
      "worker/engines/webllm/worker.ts",
      'import "../../reply/stop-reader.ts"; import "../../clock.ts";',
    ),
    source("worker/reply/stop-reader.ts", ""),
    source("worker/generation/generate.ts", ""),
    source("worker/clock.ts", 'import "./reply/stop-reader.ts";'),
    source("worker/stray.ts", ""),
    source("src/runtime.ts", 'import "../worker/server/start.ts";'),
    source("worker/server/start.ts", 'import "../../src/runtime.ts"; import "../../src/protocol/wire.ts";'),
    source("src/protocol/wire.ts", 'import "../errors.ts";'),
    source("src/errors.ts", ""),
    source("src/index.ts", ""),
    source("demo/main.ts", 'import "infetch"; import "../src/runtime.ts";'),
    source("models/gguf/write.ts", 'import "../../scripts/build.ts";'),
    source("scripts/build.ts", 'import "../models/gguf/write.ts"; import "../test/support/gguf.ts";'),
    source("test/support/gguf.ts", ""),
  ]);
  expect(arrowsAgainst(graph)).toEqual([
    "worker/usage/ledger/events.ts → worker/http/sse.ts",
    "worker/engine-api/engine-error.ts → worker/generation/generate.ts",
    "worker/clock.ts → worker/reply/stop-reader.ts",
    "worker/stray.ts has no place in the layers",
    "src/runtime.ts → worker/server/start.ts",
    "worker/server/start.ts → src/runtime.ts",
    "src/protocol/wire.ts → src/errors.ts",
    "demo/main.ts → src/runtime.ts",
    "models/gguf/write.ts → scripts/build.ts",
    "scripts/build.ts → test/support/gguf.ts",
  ]);
});

test("a long file and a leftover are found", () => {
  const long = source("src/long.ts", "line\n".repeat(251));
  const full = source("src/full.ts", "line\n".repeat(250));
  expect(tooLong([long, full], 250)).toEqual(["src/long.ts: 251 lines, 250 at most"]);
  const word = ["TO", "DO"].join("");
  expect(leftovers([source("src/a.ts", `\n// ${word}: later\n`), source("src/b.ts", `${word}S`)])).toEqual([
    "src/a.ts:2",
  ]);
});
