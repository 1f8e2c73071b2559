/**
 * Each package file in turn, half of them a day, is missing or an HTML page: its use fails with an error that names the
 * file's URL. Only files that the runtime never requests are left out.
 */

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumArguments, findChromium, withoutWebGPU } from "../../../scripts/browsers/chromium.ts";
import type { RuntimeOptions } from "../../../src/options/runtime-options.ts";
import { distFolder } from "../../../vite.config.ts";
import { NO_64_BIT_MEMORY } from "../../support/no-64-bit-memory.ts";
import { ofTheDay, seed } from "../../support/random.ts";
import { type FaultyServer, HTML, MISSING, startFaultyServer } from "./support/faulty-server.ts";
import { type Failure, type Step, take } from "./support/steps.ts";

const files = readdirSync(distFolder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(distFolder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .sort();

/**
 * Loaded by the app itself, by its bundler, for listeners to `stats`, for models without a template, where a database or its
 * rows cannot be read, by maintenance in the background, which tries again, or not at run time.
 */
const NOT_OURS =
  /^(types\/|(index|install|port|service-worker|model-manifest|cli|vite|webpack|webpack-loader)\.jsx?$|worker\/service-worker\.js$|worker\/server-(engine-stats|move-invalid|prompt-by-conversation|retention|unread-deployments)-|NOTICE|models\/manifest\.json$)/;
/** Optional: without the broker each page has its own server, without ONNX Runtime's WebGPU build the other build is used. */
const NOT_NEEDED = /^(worker\/broker\.js|blob-images\.js|ort\/ort-wasm-simd-threaded\.asyncify\..*)$/;
/** Requested only after another file failed to load. */
const EXPLAINS = "asset-fault.js";
const ALSO_EXPLAINS = /^worker\/server-asset-fault-/;

/** A browser and runtime configuration, and the steps to take. */
interface Use {
  steps: readonly Step[];
  webgpu?: boolean;
  isolated?: boolean;
  compat?: boolean;
  options?: RuntimeOptions;
}

const TINY = "/package/models/infetch-tiny/";
const TINY_EMBED = "/package/models/infetch-tiny-embed/";
/** Together they request every file. */
const USES: Use[] = [
  {
    steps: [
      ...["refused", "keys", "cached", "deployments", "billing", "invoices", "batches", "files"],
      ...["models", "unknownPath", "unknownModel", "invalid"],
      ...[
        "chat",
        "choices",
        "biased",
        "limited",
        "render",
        "json",
        "functions",
        "completions",
        "responses",
        "embeddings",
      ],
    ] as Step[],
    webgpu: true,
  },
  {
    steps: ["own", "ownEmbedding", "describedEmbedding"],
    webgpu: true,
    options: {
      models: [
        { id: "own", url: TINY },
        { id: "own-embed", url: TINY_EMBED },
        { kind: "embedding", id: "described", url: TINY_EMBED, dtypes: { wasm: ["fp32"] } },
      ],
      upstream: { baseURL: "/far/v1", apiKey: "x", models: ["far"] },
    },
  },
  { steps: ["embeddings"], webgpu: true, options: { embeddings: { device: "webgpu" } } },
  { steps: ["chat", "image", "vision", "ggufEmbedding"] },
  { steps: ["chat"], compat: true },
  { steps: ["wide"], isolated: true },
  { steps: ["wide"], isolated: true, compat: true },
];

/** By file: the first use and step that requested it. No step means the start of the runtime. */
const askedBy = new Map<string, Use>();
const failures: (Failure | undefined)[] = [];

let server: FaultyServer;

beforeAll(async () => {
  server = await startFaultyServer();
  for (const use of USES) {
    const { onStep, end } = noteAsked(use);
    failures.push(await run([], MISSING, use, onStep));
    end();
  }
});
afterAll(async () => {
  await server?.close();
});

const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

function noteAsked(use: Use): { onStep(next: Step): void; end(): void } {
  let steps: Step[] = [];
  const end = (): void => {
    for (const path of server.asked) {
      const file = path.replace("/package/", "");
      if (!askedBy.has(file)) askedBy.set(file, { ...use, steps });
    }
    server.asked.clear();
  };
  const onStep = (next: Step): void => {
    end();
    steps = [next];
  };
  return { onStep, end };
}

/**
 * @param files to which `fault` applies
 * @param scriptAfterMs how late a worker gets its script, if the fault is there
 */
async function run(
  files: readonly string[],
  fault: typeof HTML,
  of: Use,
  onStep?: (step: Step) => void,
  scriptAfterMs = 0,
) {
  const paths = files.map((file) => `/package/${file}`);
  server.asked.clear();
  server.fault = (asked, bytes, destination) => {
    const headers = of.isolated ? ISOLATED : {};
    const afterMs = destination === "worker" ? scriptAfterMs : 0;
    if (paths.includes(asked)) return { ...fault, afterMs, headers: { ...headers, ...fault.headers } };
    if (of.compat && asked === "/package/worker/llamacpp.js")
      return { headers, body: NO_64_BIT_MEMORY + bytes };
    return { headers };
  };
  // A browser of its own: in one for all files, requests of two tests once stood still for a minute.
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: of.webgpu ? chromiumArguments : withoutWebGPU,
  });
  try {
    const page = await browser.newPage();
    await page.goto(server.origin);
    // On a busy machine a new browser may have no adapter yet, and llama.cpp would answer.
    if (of.webgpu) await page.waitForFunction(async () => Boolean(await navigator.gpu.requestAdapter()));
    const options: RuntimeOptions = {
      storageName: crypto.randomUUID(),
      hub: { url: "/gguf-hub/" },
      ...of.options,
    };
    return await take(page, of.steps, options, onStep);
  } finally {
    await browser.close();
  }
}

test("with every file in place all of it works", () => {
  expect(failures).toEqual(USES.map(() => undefined));
});

const FAULTS = [
  ["missing", MISSING],
  ["an HTML page", HTML],
] as const;
const requested = files
  .filter((file) => !NOT_OURS.test(file) && file !== EXPLAINS && !ALSO_EXPLAINS.test(file))
  .map((file, index) => [file, ...FAULTS[Math.floor(Math.abs(seed + index) / 2) % FAULTS.length]!] as const);

test("every file is asked for", () => {
  expect(requested.map(([file]) => file).filter((file) => !askedBy.has(file))).toEqual([]);
});

test.each(ofTheDay(requested))("%s: %s", async (file, _, fault) => {
  const use = askedBy.get(file);
  expect(use, "what asks for the file").toBeDefined();
  const failure = await run([file], fault, use!);
  if (NOT_NEEDED.test(file)) expect(failure).toBeUndefined();
  else {
    // Without a failure, what was asked for shows what took the file's place.
    const told = failure?.message ?? [...server.asked].join(" ");
    expect(told).toContain(`${server.origin}/package/${file}`);
    const codes = ["assets_not_found", "part_unavailable", "model_download_failed", "model_load_failed"];
    // Without this file the pooling of a model that is not listed is unknown.
    if (file.endsWith("/1_Pooling/config.json")) codes.push("unknown_pooling");
    expect(codes).toContain(failure!.code);
  }
  expect(server.asked).toContain(`/package/${file}`);
});

describe.each(FAULTS)("%s", (_, fault) => {
  test.each([
    ["worker/server.js", []],
    ["setup-errors.js", ["refused"]],
  ] as const)("what explains faults, and %s", async (file, steps) => {
    const failure = await run([EXPLAINS, file], fault, { steps });
    expect(server.asked).toContain(`/package/${EXPLAINS}`);
    expect(failure?.message).toContain(`${server.origin}/package/${file}`);
    expect(failure?.code).toBe("assets_not_found");
  });
});

test("a thread's script is named, however late its worker notices", async () => {
  const file = "llamacpp/compat/thread.js";
  const use: Use = { steps: ["wide"], isolated: true, compat: true };
  const failure = await run([file], HTML, use, undefined, 1_500);
  expect(failure).toMatchObject({ code: "assets_not_found" });
  expect(failure!.message).toContain(`${server.origin}/package/${file}`);
});
