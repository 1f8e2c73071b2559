/** mlc-chat-config.json of a test model. */
import type { Architecture } from "../../../../models/library/generator/architecture.ts";
import { BEGIN, END_OF_TURN, SYSTEM_PROMPT } from "./tokenizer.ts";

export function describeChat(architecture: Architecture): object {
  return {
    version: "0.1.0",
    model_type: "llama",
    quantization: "q0f32",
    vocab_size: architecture.vocab,
    context_window_size: architecture.contextWindow,
    sliding_window_size: -1,
    attention_sink_size: -1,
    prefill_chunk_size: architecture.prefillChunk,
    temperature: 1,
    top_p: 1,
    repetition_penalty: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    tokenizer_files: ["tokenizer.json"],
    tokenizer_info: {
      token_postproc_method: "byte_level",
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
    bos_token_id: BEGIN,
    eos_token_id: END_OF_TURN,
    conv_template: {
      name: "test",
      system_template: "<|im_start|>system\n{system_message}<|im_end|>\n",
      system_message: SYSTEM_PROMPT,
      system_prefix_token_ids: [BEGIN],
      roles: { user: "<|im_start|>user", assistant: "<|im_start|>assistant", tool: "<|im_start|>tool" },
      role_templates: { user: "{user_message}", assistant: "{assistant_message}", tool: "{tool_message}" },
      seps: ["<|im_end|>\n"],
      role_content_sep: "\n",
      role_empty_sep: "\n",
      stop_str: ["<|im_end|>"],
      stop_token_ids: [END_OF_TURN],
      add_role_after_system_message: true,
    },
  };
}
