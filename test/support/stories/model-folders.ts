/** stories15M as a user hosts it: a folder with a GGUF file, and one with an MLC build. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeGguf } from "../../../models/gguf/gguf-file.ts";
import { describeLlama } from "../../../models/gguf/llama-gguf.ts";
import { buildModelLibrary, listParameters } from "../../../models/library/build.ts";
import { writeManifest } from "../../../scripts/model-manifest/write-manifest.ts";
import type { Llama2c } from "./llama2c.ts";
import { ggufVocabulary, tokenizerJson } from "./vocabulary.ts";
import { mlcWeights } from "./weights.ts";

/** Has the roles in words, as the model knows no marks. */
const CHAT_TEMPLATE = "{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}";

export async function writeGgufFolder(model: Llama2c, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tokenizer = { model: { vocab: {}, merges: [] }, added_tokens: [] };
  const { metadata, tensors } = describeLlama(
    model.architecture,
    { tokenizer, chatTemplate: CHAT_TEMPLATE, name: "stories15M" },
    mlcWeights(model),
    "f32",
  );
  const kept = Object.entries(metadata).filter(([key]) => !key.startsWith("tokenizer.ggml."));
  const described = { ...Object.fromEntries(kept), ...ggufVocabulary(model.pieces) };
  await writeFile(join(folder, "stories15M.gguf"), writeGguf(described, tensors));
  await writeManifest(folder);
}

export async function writeMlcFolder(model: Llama2c, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { architecture } = model;
  await buildModelLibrary({ architecture, outFile: join(folder, "model-library.wasm") });
  await writeShard(model, folder);
  await writeJson(folder, "tokenizer.json", tokenizerJson(model.pieces));
  await writeJson(folder, "tokenizer_config.json", {
    bos_token: "<s>",
    eos_token: "</s>",
    add_bos_token: true,
    chat_template: CHAT_TEMPLATE,
  });
  await writeJson(folder, "mlc-chat-config.json", {
    version: "0.1.0",
    model_type: "llama",
    quantization: "q0f32",
    model_config: {
      hidden_size: architecture.hidden,
      num_hidden_layers: architecture.layers,
      num_attention_heads: architecture.heads,
      num_key_value_heads: architecture.kvHeads,
      head_dim: architecture.headDim,
    },
    vocab_size: architecture.vocab,
    context_window_size: architecture.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: architecture.prefillChunk,
    tokenizer_files: ["tokenizer.json", "tokenizer_config.json"],
    tokenizer_info: {
      token_postproc_method: "byte_fallback",
      prepend_space_in_encode: true,
      strip_space_in_decode: true,
    },
    bos_token_id: 1,
    eos_token_id: 2,
    conv_template: {
      name: "stories",
      system_template: "{system_message}",
      system_message: "",
      system_prefix_token_ids: [1],
      roles: { user: "", assistant: "", tool: "" },
      role_templates: { user: "{user_message}", assistant: "{assistant_message}", tool: "{tool_message}" },
      seps: [""],
      role_content_sep: "",
      role_empty_sep: "",
      stop_str: [],
      stop_token_ids: [2],
    },
  });
  await writeManifest(folder);
}

async function writeShard(model: Llama2c, folder: string): Promise<void> {
  const weights = mlcWeights(model);
  let byteOffset = 0;
  const parts: Uint8Array[] = [];
  const records = listParameters(model.architecture).map(({ name, shape }) => {
    const bytes = bfloat16(weights(name));
    const record = { name, shape, dtype: "float32", format: "f32-to-bf16", nbytes: bytes.length, byteOffset };
    byteOffset += bytes.length;
    parts.push(bytes);
    return record;
  });
  const dataPath = "params_shard_0.bin";
  await writeFile(join(folder, dataPath), parts);
  await writeJson(folder, "tensor-cache.json", {
    metadata: { ParamSize: records.length, ParamBytes: byteOffset, BitsPerParam: 16 },
    records: [{ dataPath, format: "raw-shard", nbytes: byteOffset, records }],
  });
}

/** The upper halves of 32-bit floats. */
function bfloat16(values: Float32Array): Uint8Array {
  const halves = new Uint16Array(values.buffer, values.byteOffset, values.length * 2).filter(
    (_, at) => at % 2 === 1,
  );
  return new Uint8Array(halves.buffer);
}

function writeJson(folder: string, name: string, content: object): Promise<void> {
  return writeFile(join(folder, name), JSON.stringify(content));
}
