/** Finds the files with a model's weights: each tool that converts models names them in its own way. */

import type { EmbeddingDtype } from "../../../engine-api/embedding-model.ts";

/** Endings in transformers.js's names, after `onnx/model`. */
const SUFFIX: Readonly<Record<EmbeddingDtype, string>> = {
  fp32: "",
  fp16: "_fp16",
  q8: "_quantized",
  q4: "_q4",
  q4f16: "_q4f16",
};

/**
 * Endings of all tools, best first for each dtype. sentence-transformers names 8-bit weights after the processor that
 * they are for (`model_qint8_avx512_vnni.onnx`); ONNX Runtime runs them on any. Others (`bnb4`) do not run here.
 */
const ENDINGS: readonly (readonly [ending: RegExp, dtype: EmbeddingDtype | undefined])[] = [
  [/_quantized$/, "q8"],
  [/_int8$/, "q8"],
  [/_uint8$/, "q8"],
  [/_qu?int8(_[a-z0-9]+)*$/, "q8"],
  [/_fp16$/, "fp16"],
  [/_q4f16$/, "q4f16"],
  [/_q4$/, "q4"],
  [/_(bnb4|q[12](f16)?)$/, undefined],
];

/** Other formats, and the networks of other inputs and of decoders. */
const OTHER_NETWORK = /(^|\/)openvino\/|(^|[_/-])(decoder|vision|audio|image|speech)[_.-]/;

interface WeightsFile {
  name: string;
  /** The file's name without folder, dtype and `.onnx`. */
  base: string;
  dtype: EmbeddingDtype | undefined;
  /** Lower is better. */
  rank: number;
}

type Named = Readonly<{ name: string }>;

/** Path of the weights of a dtype. @param files of the repository; empty if not known */
export function weightsFile(dtype: EmbeddingDtype, files: readonly Named[] = []): string {
  return weightsAmong(files).get(dtype) ?? `onnx/model${SUFFIX[dtype]}.onnx`;
}

/** The dtypes whose weights are among the files of a repository. */
export function dtypesAmong(files: readonly Named[]): EmbeddingDtype[] {
  const found = weightsAmong(files);
  return (Object.keys(SUFFIX) as EmbeddingDtype[]).filter((dtype) => found.has(dtype));
}

/** Tried, in this order, where a repository has no weights that a record names. */
const OTHERS: readonly EmbeddingDtype[] = ["fp16", "q4", "q4f16"];

/**
 * The dtype to load for `wanted`, one of the `usual` ones: itself, unless the repository has none of these.
 *
 * @param files of the repository; empty if not known
 */
export function chooseDtype(
  wanted: EmbeddingDtype,
  usual: readonly EmbeddingDtype[],
  files: readonly Named[],
): EmbeddingDtype {
  const found = dtypesAmong(files);
  if (usual.some((dtype) => found.includes(dtype))) return wanted;
  return OTHERS.filter((dtype) => found.includes(dtype))[usual.indexOf(wanted)] ?? wanted;
}

/** Files of the network `model`, in `onnx/` before other folders; without any, of the only other network. */
function weightsAmong(files: readonly Named[]): ReadonlyMap<EmbeddingDtype, string> {
  const all = files.flatMap(({ name }) => readName(name) ?? []);
  const bases = new Set(all.map(({ base }) => base));
  const base = bases.has("model") || bases.size !== 1 ? "model" : all[0]!.base;
  const best = all
    .filter((file) => file.base === base)
    .sort((a, b) => b.rank - a.rank || (a.name < b.name ? 1 : -1));
  return new Map(best.flatMap(({ dtype, name }) => (dtype ? [[dtype, name] as const] : [])));
}

function readName(name: string): WeightsFile | undefined {
  const [, folder = "", stem] = /^(?:(.*)\/)?([^/]+)\.onnx$/.exec(name) ?? [];
  if (stem === undefined || OTHER_NETWORK.test(name)) return undefined;
  const at = ENDINGS.findIndex(([ending]) => ending.test(stem));
  const folderRank = folder === "onnx" ? 0 : folder === "" ? 1 : 2;
  const rank = 3 * (at + 1) + folderRank;
  if (at < 0) return { name, base: stem, dtype: "fp32", rank };
  const [ending, dtype] = ENDINGS[at]!;
  return { name, base: stem.replace(ending, ""), dtype, rank };
}

/** How transformers.js is asked for a file. */
export function libraryNames(name: string, dtype: EmbeddingDtype) {
  const [, subfolder = "", stem = ""] = /^(?:(.*)\/)?([^/]+)\.onnx$/.exec(name) ?? [];
  const suffix = SUFFIX[dtype];
  // It adds the ending of the dtype, which for fp32 is none.
  return stem.endsWith(suffix)
    ? { subfolder, model_file_name: stem.slice(0, stem.length - suffix.length), dtype }
    : { subfolder, model_file_name: stem, dtype: "fp32" as const };
}

/**
 * Whether a file is a further one of the weights: `model.onnx_data`, `model.onnx.data`, or one of the tensors that
 * PyTorch's export stores in files of their own, in the folder of `model.onnx`.
 */
export function isPartOf(weights: string, name: string): boolean {
  if (name === weights) return false;
  if (name.startsWith(weights)) return true;
  const folder = weights.replace(/[^/]*$/, "");
  if (folder === "" || weights !== `${folder}model.onnx` || !name.startsWith(folder)) return false;
  return /^([^./]+|[^/]+\.(weight|bias))$/.test(name.slice(folder.length));
}
