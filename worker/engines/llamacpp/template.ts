/** The chat template of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, `tokenizer.chat_template`). */

import { ChatTemplate, type TemplateSource } from "../../chat-template/chat-template.ts";
import { TRIAL_MESSAGE } from "../../chat-template/traits/template-message.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { GgufValues } from "../../model-store/gguf/metadata.ts";

/** Default for files without a template: ChatML, which most such models were trained on. */
const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** The World models' turns, which two line breaks end. */
const RWKV_WORLD =
  "{% for message in messages %}{{ message.role | capitalize + ': ' + message.content | trim + '\\n\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}";

/** Names of llama.cpp's own templates that files have in place of a template. */
const NAMED: Readonly<Record<string, string>> = { chatml: CHATML, "rwkv-world": RWKV_WORLD };

const KEY = "tokenizer.chat_template";

/**
 * @param engineAddsBos whether llama.cpp adds the file's BOS token
 * @throws {EngineError} `model_load_failed` for a template that cannot be read, or refuses a user's message
 */
export function readTemplate(metadata: GgufValues, engineAddsBos: boolean): TemplateSource {
  const [plain, toolUse] = [templateAt(metadata, KEY), templateAt(metadata, `${KEY}.tool_use`)];
  const given: TemplateSource = {
    source: plain ?? toolUse ?? CHATML,
    ...(toolUse === undefined ? {} : { toolUse }),
    bos: tokenText(metadata, "tokenizer.ggml.bos_token_id"),
    eos: tokenText(metadata, "tokenizer.ggml.eos_token_id"),
    engineAddsBos,
  };
  try {
    const text = new ChatTemplate(given).render({ messages: [TRIAL_MESSAGE] });
    if (!text.includes(TRIAL_MESSAGE.content)) throw new Error("it omits the user's message");
  } catch (error) {
    const why = (error as Error).message;
    throw new EngineError("model_load_failed", `The model's chat template cannot be used: ${why}.`, {
      cause: error,
    });
  }
  return given;
}

/** Undefined where the file has none, or one without a character. */
function templateAt(metadata: GgufValues, key: string): string | undefined {
  const source = metadata.get(key);
  return typeof source === "string" && source.trim() !== "" ? (NAMED[source] ?? source) : undefined;
}

function tokenText(metadata: GgufValues, key: string): string {
  const tokens = metadata.get("tokenizer.ggml.tokens");
  const id = metadata.get(key);
  return Array.isArray(tokens) && typeof id === "number" ? String(tokens[id] ?? "") : "";
}
