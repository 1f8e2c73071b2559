/** Which kernels a pass launches, and which of them are compiled when: the real library, without a GPU. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildModelLibrary, listParameters } from "../../../models/library/build.ts";
import { readKernels } from "../../../models/library/generator/kernels.ts";
import { TEST_MODELS } from "../../browser/model-library/support/architectures.ts";
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
  expect(decode([0, 1])).toEqual(step("_4"));
  expect(decode([4, 2, 0, 1, 3])).toEqual(step("_4"));
  const variants = readKernels(ARCHITECTURE).filter(({ isOnDemand }) => isOnDemand);
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
