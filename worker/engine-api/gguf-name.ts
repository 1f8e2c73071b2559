/** Names of GGUF files and of the projectors among them. */

/** Whether it is the name or address of a GGUF file. Publishers write the ending in either case. */
export function isGgufName(name: string): boolean {
  return /\.gguf$/i.test(name);
}

/** The name of a projector, as publishers write it: `mmproj-model-f16.gguf`, `model.mmproj-Q8_0.gguf`. */
export function isProjectorName(name: string): boolean {
  return /mmproj[^/]*\.gguf$/i.test(name);
}

/** Files of a model by how well they suit an embedding model: its weights are few, and precise ones cost little. */
const PREFERRED_WEIGHTS = [/q8_0/i, /q4_k_m/i, /(^|[^b])f16/i, /./];

/** Publishers add the importance matrix of their quantisation as `imatrix_….gguf` or `….imatrix.gguf`. */
const NOT_MODELS = /mmproj[^/]*\.gguf$|imatrix[^/]*\.gguf$|-(?!00001)\d{5}-of-\d{5}\./i;

/** A whole model of a repository, or the first part of one; undefined if it has none. */
export function chooseWeights<File extends { name: string }>(files: readonly File[]): File | undefined {
  const all = files.filter(({ name }) => isGgufName(name) && !NOT_MODELS.test(name));
  const best = PREFERRED_WEIGHTS.map((form) => all.find(({ name }) => form.test(name)));
  return best.find((file) => file !== undefined);
}

/** Smaller files first, but no precision that WebAssembly is slow at. */
const PREFERRED = [/q8_0/i, /(^|[^b])f16/i, /bf16/i];

/** The projector of a repository or folder; undefined if it has none. */
export function chooseProjector<File extends { name: string }>(files: readonly File[]): File | undefined {
  const all = files.filter(({ name }) => isProjectorName(name));
  const best = PREFERRED.map((form) => all.find(({ name }) => form.test(name)));
  return best.find((file) => file !== undefined) ?? all[0];
}
