/** GGUF files for tests: variants of the built-in model, and malformed files. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeClip } from "../../../models/gguf/clip-gguf.ts";
import { type MetadataValue, writeGguf } from "../../../models/gguf/gguf-file.ts";
import {
  describeLlama,
  type GgufContents,
  readChatTemplate,
  readTokenizer,
} from "../../../models/gguf/llama-gguf.ts";
import { readWeights } from "../../../models/gguf/read-weights.ts";
import { type Architecture, readArchitecture } from "../../../models/library/build.ts";
import { tinyBert, tinyQwen, uint32 } from "./tiny-encoders.ts";
import { tinyRwkv } from "./tiny-rwkv.ts";

const folder = resolve(import.meta.dirname, "../../../models/tiny-chat");

/** A file as the test server serves it. */
interface ServedFile {
  bytes: Uint8Array;
  /** The size that the server reports, if it differs from `bytes`. */
  claimedBytes?: number;
}

const MAKERS: Record<string, () => Promise<ServedFile>> = {
  "tiny-f32.gguf": async () => write(await tinyContents("f32")),
  "tiny-q8_0.gguf": async () => write(await tinyContents("q8_0")),
  /** One weight differs from `tiny-f32.gguf`; size and description are the same. */
  "tiny-retrained.gguf": async () => {
    const bytes = Buffer.from(write(await tinyContents("f32")).bytes);
    return { bytes: bytes.fill(bytes.at(-1)! ^ 1, bytes.byteLength - 1) };
  },
  "wide-f32.gguf": async () => write(await wide()),
  "tiny-00001-of-00002.gguf": async () => write((await halves())[0]),
  "tiny-00002-of-00002.gguf": async () => write((await halves())[1]),
  "truncated.gguf": async () => {
    const { bytes } = write(await tinyContents("q8_0"));
    return { bytes: bytes.subarray(0, bytes.byteLength / 2) };
  },
  "garbled.gguf": async () => {
    const { bytes } = write(await tinyContents("q8_0"));
    // Overwrites a tensor name, in the section after the metadata, with one that no Llama has.
    const at = Buffer.from(bytes).indexOf("blk.3.attn_q.weight");
    return { bytes: Buffer.from(bytes).fill("?", at, at + 12) };
  },
  "garbage.gguf": async () => ({
    bytes: new TextEncoder().encode("<p>Not a model at all.</p>".repeat(1000)),
  }),
  ...Object.fromEntries(
    [1, 2, 3, 4].map((part) => [
      `oversized-0000${part}-of-00004.gguf`,
      async () => claiming(write(await tinyContents("q8_0")), 1.9),
    ]),
  ),
  /** Templates of other families than the built-in model's. */
  ...Object.fromEntries(
    ["tagged", "thinking", "header"].map((name) => [`${name}.gguf`, () => withTemplate(fixture(name))]),
  ),
  /** Arguments are plain text between marks, as those of Qwen3-Coder and FunctionGemma. */
  "parameters.gguf": () =>
    withTemplate(
      writing(
        "<tool_call>\\n<function=f>\\n<parameter=key>\\nvalue\\n</parameter>\\n</function>\\n</tool_call>",
      ),
    ),
  "escaped.gguf": () =>
    withTemplate(writing("<start_function_call>call:f{key:<escape>value<escape>}<end_function_call>")),
  /** Its metadata tells that it cannot be used. */
  "refusing.gguf": async () =>
    claiming(await withTemplate("{{ raise_exception('This model reads pictures only') }}")),
  /** As some publishers recommend: always the most likely token. */
  "advised.gguf": async () => {
    return write(await tinyWith({ "general.sampling.top_k": { type: "int32", value: 1 } }));
  },
  "unheard-of.gguf": async () => {
    return write(await tinyWith({ "tokenizer.ggml.pre": text("unheard-of") }));
  },
  "tiny-rwkv.gguf": async () => write(tinyRwkv()),
  /** Of a kind of vocabulary that is not supported. */
  "plamo.gguf": async () => claiming(write(await tinyWith({ "tokenizer.ggml.model": text("plamo2") }))),
  /** Of an architecture that no llama.cpp has. */
  "unheard-of-architecture.gguf": async () =>
    claiming(write(await tinyWith({ "general.architecture": text("gemma99") }))),
  /** Made for 16,384 tokens, though not trained on them. */
  "long.gguf": async () =>
    write(await tinyWith({ "llama.context_length": { type: "uint32", value: 16_384 } })),
  /** A token takes 2.5 MB of keys and values. */
  "heavy.gguf": async () =>
    claiming(
      write(
        await tinyWith({
          "llama.block_count": { type: "uint32", value: 80 },
          "llama.attention.head_count": { type: "uint32", value: 64 },
          "llama.attention.head_count_kv": { type: "uint32", value: 64 },
          "llama.attention.key_length": { type: "uint32", value: 128 },
          "llama.attention.value_length": { type: "uint32", value: 128 },
        }),
      ),
    ),
  /** Turns a picture into 16 tokens of the built-in model; its weights are deterministic noise. */
  "tiny-mmproj-f32.gguf": async () => write(eyes(192)),
  /** For a model of another width. */
  "narrow-mmproj-f32.gguf": async () => write(eyes(128)),
  "embedding.gguf": async () =>
    write({ metadata: { "general.architecture": text("nomic-bert") }, tensors: [] }),
  "tiny-bert.gguf": async () => write(tinyBert().contents),
  "tiny-qwen-embedding.gguf": async () => write(tinyQwen().contents),
  "pools-nothing.gguf": async () => write(tinyBert({ "bert.pooling_type": uint32(0) }).contents),
  "reranker.gguf": async () => write(tinyBert({ "bert.pooling_type": uint32(4) }).contents),
  /** A chat model with the name of an embedding model. */
  "embeddings-of-chat.gguf": async () => write(await tinyContents("q8_0")),
};

/** A template of turns that shows tools, and this example of a call. */
const writing = (call: string): string =>
  `{% if tools %}{{ '<|im_start|>system\\n' + tools | tojson + '\\n${call}<|im_end|>\\n' }}{% endif %}` +
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

const made = new Map<string, Promise<ServedFile>>();

/** The file of that name; undefined if unknown. */
export function ggufVariant(name: string): Promise<ServedFile> | undefined {
  const make = MAKERS[name];
  if (!make) return undefined;
  if (!made.has(name)) made.set(name, make());
  return made.get(name);
}

/** The built-in model. */
export async function tinyContents(encoding: "f32" | "q8_0"): Promise<GgufContents> {
  const architecture = readArchitecture(resolve(folder, "architecture.json"));
  return describeLlama(architecture, await textFiles(folder), await readWeights(folder), encoding);
}

async function tinyWith(changes: Record<string, MetadataValue>): Promise<GgufContents> {
  const { metadata, tensors } = await tinyContents("q8_0");
  return { metadata: { ...metadata, ...changes }, tensors };
}

/** Wide enough for multithreading; its weights are deterministic noise. */
async function wide(): Promise<GgufContents> {
  const tiny = readArchitecture(resolve(folder, "architecture.json"));
  const architecture: Architecture = { ...tiny, hidden: 256, layers: 2, heads: 8, intermediate: 512 };
  const random = noise();
  const { hidden, vocab, intermediate, heads, kvHeads, headDim } = architecture;
  const sizes: [RegExp, number][] = [
    [/embed_tokens/, vocab * hidden],
    [/qkv_proj/, (heads + 2 * kvHeads) * headDim * hidden],
    [/o_proj/, hidden * heads * headDim],
    [/gate_up_proj/, 2 * intermediate * hidden],
    [/down_proj/, hidden * intermediate],
    [/norm/, hidden],
  ];
  const weights = (name: string): Float32Array => random(sizes.find(([pattern]) => pattern.test(name))![1]);
  return describeLlama(architecture, await textFiles(folder), weights, "f32");
}

function eyes(textHidden: number): GgufContents {
  const size = { imageSize: 32, patchSize: 8, hidden: 32, layers: 1, heads: 2, intermediate: 64 };
  const of = { ...size, layerNormEps: 1e-5, imageMean: [0.5, 0.5, 0.5], imageStd: [0.5, 0.5, 0.5] };
  const { hidden, intermediate } = of;
  const lengths: [RegExp, number][] = [
    [/patch_embedding/, hidden * 3 * 64],
    [/position_embedding/, hidden * 16],
    [/qkv_proj\.weight/, 3 * hidden * hidden],
    [/qkv_proj\.bias/, 3 * hidden],
    [/o_proj\.weight/, hidden * hidden],
    [/(up|down)_proj\.weight/, intermediate * hidden],
    [/up_proj\.bias/, intermediate],
    [/projector\.0\.weight/, textHidden * hidden],
    [/projector\.2\.weight/, textHidden * textHidden],
    [/projector/, textHidden],
    [/./, hidden],
  ];
  const random = noise();
  const weights = (name: string): Float32Array =>
    random(lengths.find(([pattern]) => pattern.test(name))![1], 8);
  return describeClip(of, textHidden, weights, "f32");
}

/** Deterministic. */
function noise(): (length: number, scale?: number) => Float32Array {
  let state = 1;
  return (length, scale = 1) =>
    Float32Array.from({ length }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return ((state / 2_147_483_647 - 0.5) / 8) * scale;
    });
}

/** Split like `llama-gguf-split`: the first part holds all metadata, each part holds some of the tensors. */
async function halves(): Promise<[GgufContents, GgufContents]> {
  const { metadata, tensors } = await tinyContents("q8_0");
  const part = (number: number): Record<string, MetadataValue> => ({
    "split.no": { type: "uint16", value: number },
    "split.count": { type: "uint16", value: 2 },
    "split.tensors.count": { type: "int32", value: tensors.length },
  });
  const middle = Math.ceil(tensors.length / 2);
  return [
    { metadata: { ...metadata, ...part(0) }, tensors: tensors.slice(0, middle) },
    { metadata: part(1), tensors: tensors.slice(middle) },
  ];
}

/** Claims to be larger than it is: downloading all of it would take hours. */
function claiming(file: ServedFile, gigabytes = 1.5): ServedFile {
  return { ...file, claimedBytes: Math.floor(gigabytes * 2 ** 30) };
}

async function withTemplate(template: string): Promise<ServedFile> {
  return write(await tinyWith({ "tokenizer.chat_template": text(template) }));
}

/** A template of `test/fixtures/chat-templates`. */
function fixture(name: string): string {
  return readFileSync(resolve(import.meta.dirname, `../../fixtures/chat-templates/${name}.jinja`), "utf8");
}

function write({ metadata, tensors }: GgufContents): ServedFile {
  return { bytes: writeGguf(metadata, tensors) };
}

function text(value: string): MetadataValue {
  return { type: "string", value };
}

async function textFiles(folder: string) {
  return { tokenizer: await readTokenizer(folder), chatTemplate: await readChatTemplate(folder) };
}
