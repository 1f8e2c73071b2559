/** The real library without a GPU: which kernels a pass launches, which are compiled when, and how pages are counted. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildModelLibrary, listParameters } from "../../../models/library/build.ts";
import { readKernels } from "../../../models/library/generator/kernels.ts";
import { TEST_MODELS } from "../../browser/model-library/support/architectures.ts";
import type { Feed } from "../../browser/model-library/support/library-driver.ts";
import {
  applyAll,
  OPERATIONS,
  operations,
  type Pages,
  SIZE,
} from "../../browser/model-library/support/random-operations.ts";
import { fc, seed } from "../../support/random.ts";
import { type Handle, RawLibrary } from "./support/raw-library.ts";

const ARCHITECTURE = TEST_MODELS.alpha;
let library: RawLibrary;
let cache: Handle;
let parameters: Handle;

beforeAll(async () => {
  const outFile = join(mkdtempSync(join(tmpdir(), "model-library-")), "library.wasm");
  await buildModelLibrary({ architecture: ARCHITECTURE, outFile });
  library = new RawLibrary(await WebAssembly.compile(readFileSync(outFile)));
  const sizes = [8, 640, 48, 16, 0].map((size) => library.shape(size));
  cache = library.model("create_tir_paged_kv_cache", ...sizes) as Handle;
  const weights = listParameters(ARCHITECTURE).map(({ shape }) => library.tensor("float32", ...shape));
  parameters = library.call("ffi.Array", ...weights) as Handle;
  for (const id of [0, 1, 2, 3, 4]) library.call("vm.builtin.kv_state_add_sequence", cache, id);
});

/** The kernels of one decode step of these sequences. */
function decode(ids: readonly number[]): string[] {
  library.launches = [];
  const ones = ids.map(() => 1);
  library.call("vm.builtin.kv_state_begin_forward", cache, library.shape(...ids), library.shape(...ones));
  const embeddings = library.tensor("float32", ids.length, 1, ARCHITECTURE.hidden);
  library.model("batch_decode", embeddings, cache, parameters);
  library.call("vm.builtin.kv_state_end_forward", cache);
  return library.launches;
}

const layer = (suffix: string) => [
  `decode_qkv${suffix}`,
  "decode_attention",
  `decode_project${suffix}`,
  `decode_gate_up${suffix}`,
  `decode_project${suffix}`,
];
const step = (suffix: string) => [...layer(suffix), ...layer(suffix), `logits${suffix}`];

test("one sequence takes the kernels compiled at load; several take variants, each compiled once", () => {
  expect(decode([3])).toEqual(step(""));
  expect(library.compiled).toEqual([]);
  expect(decode([0, 1])).toEqual(step("_2"));
  expect(decode([2, 0, 1])).toEqual(step("_4"));
  expect(decode([4, 2, 0, 1, 3])).toEqual(step("_8"));
  expect(decode([1, 0, 2, 3])).toEqual(step("_4"));
  const variants = readKernels(ARCHITECTURE).filter(({ variant }) => variant);
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect([...library.compiled].sort(byName)).toEqual(
    variants.map(({ name, source }) => ({ name, source })).sort(byName),
  );
});

test("an error is in words, and the next pass works", () => {
  const embeddings = library.tensor("float32", 2, 1, ARCHITECTURE.hidden);
  expect(() => library.model("batch_decode", embeddings, cache, parameters)).toThrow(
    /^infetch model library, batch_decode: expected the embeddings of the forward pass that has begun \(0\), got 2$/,
  );
  expect(decode([0]).at(-1)).toBe("logits");
});

/** A cache of its own, whose passes are announced and committed without being run. */
function createPages(): Pages {
  const sizes = [SIZE.sequences, SIZE.positions, SIZE.chunk, 16, 0].map((size) => library.shape(size));
  const own = library.model("create_tir_paged_kv_cache", ...sizes) as Handle;
  const state = (name: string, ...args: unknown[]) => library.call(`vm.builtin.${name}`, own, ...args);
  const begin = (feeds: readonly Feed[]) =>
    void state(
      "kv_state_begin_forward",
      library.shape(...feeds.map(({ id }) => id)),
      library.shape(...feeds.map(({ tokens }) => tokens.length)),
    );
  const pass = async (feeds: readonly Feed[]) => {
    begin(feeds);
    state("kv_state_end_forward");
  };
  return {
    begin,
    prefill: pass,
    decode: pass,
    clear: () => void state("kv_state_clear"),
    add: (id) => void state("kv_state_add_sequence", id),
    remove: (id) => void state("kv_state_remove_sequence", id),
    fork: (parent, child, position) => void state("kv_state_fork_sequence", parent, child, position),
    popn: (id, count) => void state("kv_state_popn", id, count),
    freePages: () => state("attention_kv_cache_get_num_available_pages") as number,
    totalLength: () => state("attention_kv_cache_get_total_sequence_length") as number,
  };
}

test(`pages add up after each of ${OPERATIONS} random operations, five times (seed ${seed})`, async () => {
  const pages = createPages();
  await fc.assert(
    fc.asyncProperty(operations, async (list) => void (await applyAll(pages, list))),
    { numRuns: 5, endOnFailure: true },
  );
});
