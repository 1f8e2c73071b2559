/** Loads the tokenizer and network of a model with transformers.js. */

import {
  AutoModel,
  AutoTokenizer,
  PreTrainedModel,
  type PreTrainedTokenizer,
} from "@huggingface/transformers";
import { type Asset, withAssets } from "../scheduling/with-assets.ts";
import type { EmbeddingAttempt } from "./attempts.ts";
import { MODEL_ID, type RuntimeFiles, setUpLibrary } from "./environment.ts";
import type { EmbeddingFiles } from "./files/embedding-files.ts";
import { isPartOf, libraryNames, weightsFile } from "./files/weights-files.ts";
import { isEncoderOnly, type NetworkConfiguration, widthOf } from "./network-configuration.ts";
import type { NetworkNames } from "./text-vectors.ts";

export interface LoadedNetwork {
  tokenizer: PreTrainedTokenizer;
  network: PreTrainedModel;
  /** Threads of the WebAssembly backend. */
  threads: number;
}

/** @throws {EngineError} for a missing or forbidden file; otherwise the library's own error */
export function loadNetwork(
  attempt: EmbeddingAttempt,
  configuration: NetworkConfiguration,
  runtime: RuntimeFiles,
  files: EmbeddingFiles,
): Promise<LoadedNetwork> {
  const assets: Asset[] = [
    [runtime.mjs, "module"],
    [runtime.wasm, "wasm"],
  ];
  return withAssets(assets, async () => {
    const threads = await setUpLibrary(runtime, widthOf(configuration), (name) => files.fetch(name));
    // The library never ends a load that lacks a second file of the weights.
    const loading = Promise.race([fromFiles(attempt, configuration, files), files.lostPart]);
    const loaded = await loading.catch((error: unknown) => {
      // The library reports any failed fetch as "not found" and drops the cause.
      throw files.explain(error);
    });
    return { ...loaded, threads };
  });
}

async function fromFiles(
  { device, dtype }: EmbeddingAttempt,
  configuration: NetworkConfiguration,
  files: EmbeddingFiles,
): Promise<Omit<LoadedNetwork, "threads">> {
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  const weights = weightsFile(dtype, files.known);
  // The library takes these where the model's configuration does not say that there are more files.
  const externalData = files.known
    .filter(({ name }) => isPartOf(weights, name))
    .map(({ name: data }) => ({ path: data.replace(/^.*\//, ""), data }));
  const options = {
    device,
    ...libraryNames(weights, dtype),
    ...(externalData.length > 0 ? { session_options: { externalData } } : {}),
  };
  const library = isEncoderOnly(configuration) ? PreTrainedModel : AutoModel;
  return { tokenizer, network: await library.from_pretrained(MODEL_ID, options) };
}

/** Names of the network's inputs and outputs. */
export function namesOf(network: PreTrainedModel): NetworkNames {
  const { model } = network.sessions as Record<string, NetworkNames | undefined>;
  return model ?? { inputNames: [], outputNames: [] };
}
