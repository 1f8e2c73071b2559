import { invokeFormat } from "./invoke.ts";
import type { ToolFormat } from "./tool-format.ts";

const DSML = "｜DSML｜";

/** DeepSeek V3.2: elements of its own, with an attribute for texts, in one block. */
export const deepseekV32 = dsmlFormat("deepseek-v3.2", DSML, "function_calls");

/** DeepSeek V4: the same in a block of another name. */
export const deepseekV4 = dsmlFormat("deepseek-v4", DSML, "tool_calls");

/** DeepSeek V4.1: the same with a space after the token. */
export const deepseekV41 = dsmlFormat("deepseek-v4.1", DSML, "calls", " ");

/** GigaChat 3.5: V4's with another token. */
export const gigachat35 = dsmlFormat("gigachat-3.5", "｜GCML｜", "tool_calls");

/**
 * @param token of the names of all elements
 * @param block name of the element around all calls
 * @param gap between the token and the name of an element
 */
function dsmlFormat(name: string, token: string, block: string, gap = ""): ToolFormat {
  const prefix = token + gap;
  return invokeFormat({
    name,
    // Templates may keep the token in a variable.
    matches: (template) =>
      [token, `${gap}${block}>`, `${gap}invoke name=`].every((mark) => template.includes(mark)),
    prefix,
    list: { open: `<${prefix}${block}>`, close: `</${prefix}${block}>` },
    isTyped: true,
  });
}
