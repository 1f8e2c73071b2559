import { invokeFormat } from "./invoke.ts";
import type { ToolFormat } from "./tool-format.ts";

const TOKEN = "｜DSML｜";

/** DeepSeek V3.2: elements of its own, with an attribute for texts, in one block. */
export const deepseekV32 = dsmlFormat("deepseek-v3.2", "function_calls");

/** DeepSeek V4: the same in a block of another name. */
export const deepseekV4 = dsmlFormat("deepseek-v4", "tool_calls");

/** @param block name of the element around all calls */
function dsmlFormat(name: string, block: string): ToolFormat {
  return invokeFormat({
    name,
    // Templates may keep the token in a variable.
    matches: (template) => [TOKEN, `${block}>`, "invoke name="].every((mark) => template.includes(mark)),
    prefix: TOKEN,
    list: { open: `<${TOKEN}${block}>`, close: `</${TOKEN}${block}>` },
    isTyped: true,
  });
}
