import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

/** GLM 4.7 and 5: `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`. */
export const glm47 = keyedFormat("glm-4.7", "", "");

/** GLM 4.5 and 4.6, Laguna: the same with line breaks. */
export const glm45 = keyedFormat("glm-4.5", "", "\n");

/** LongCat 2: the same with tags of its own. */
export const longcat2 = keyedFormat("longcat-2", "longcat_", "\n");

/**
 * @param prefix of the names of all tags
 * @param gap after the name, keys and values
 */
function keyedFormat(name: string, prefix: string, gap: string): ToolFormat {
  const tag = (of: string) => ({ open: `<${prefix}${of}>`, close: `</${prefix}${of}>` });
  const [call, key, value] = [tag("tool_call"), tag("arg_key"), tag("arg_value")];
  const tags = { before: key.open, after: key.close + gap + value.open, end: value.close + gap };
  const begin = (tool: string): string => tool + gap;
  const between = call.close + gap + call.open;
  return {
    name,
    // Hunyuan 3 has a token after the name, and encloses all calls.
    matches: (template) =>
      [call.open, key.open, gap === "" ? tags.after : ""].every((one) => template.includes(one)) &&
      !template.includes("<tool_sep>"),
    callFormat: {
      open: [call.open],
      close: [call.close],
      bare: false,
      endsThought: { before: call.open, after: gap === "" ? "<" : gap },
      body: {
        kind: "xml",
        syntax: {
          call: { before: "", after: "" },
          member: { before: key.open, after: key.close, value: value.open },
          memberEnd: value.close,
          end: "",
          isOnLines: false,
          isEscaped: false,
        },
      },
    },
    // xgrammar rejects an empty separator, so the tags between two calls are one.
    callSyntax: { trigger: call.open, begin, end: "", separator: between, dialect: tags, list: call },
    write: (calls) => {
      const written = calls.map((one) => begin(one.name) + elements(one, tags));
      return call.open + written.join(between) + call.close;
    },
  };
}
