import { elements } from "./elements.ts";
import type { ToolFormat } from "./tool-format.ts";

const OPEN_SUFFIX = ":opensource";
const SUFFIX_4 = ":6124c78e";
const SUFFIXES: readonly string[] = [OPEN_SUFFIX, SUFFIX_4];

/** GLM 4.7 and 5: `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`. */
export const glm47 = keyedFormat({ name: "glm-4.7", gap: "" });

/** GLM 4.5 and 4.6, Laguna: the same with line breaks. */
export const glm45 = keyedFormat({ name: "glm-4.5" });

/** LongCat 2: the same with tags of its own. */
export const longcat2 = keyedFormat({ name: "longcat-2", prefix: "longcat_" });

/** Hunyuan 3: the same with a tag after the name, in one block. */
export const hunyuan3 = keyedFormat({ name: "hunyuan-3", isBlock: true });

/** Its open weights have tags of their own. */
export const hunyuan3Open = keyedFormat({ name: "hunyuan-3-open", suffix: OPEN_SUFFIX, isBlock: true });

/** Hunyuan 4: tags of its own, none after the name. */
export const hunyuan4 = keyedFormat({ name: "hunyuan-4", suffix: SUFFIX_4, isBlock: true, endsName: false });

/** K2 Horizon: tags of its own, none after the name; with `tool_call_format: "xml_typed"`, a type before each value. */
export const k2Horizon = keyedFormat({
  name: "k2-horizon",
  prefix: "ifm|",
  isBlock: true,
  endsName: false,
  hasTypes: true,
});

/** IQuest Coder 2: GLM 4.7's with another tag around a call. */
export const iquestCoder2 = keyedFormat({
  name: "iquest-coder-2",
  prefix: "iquestcoder_",
  keyPrefix: "",
  gap: "",
});

/** IQuest Q1: the same with another one. */
export const iquestQ1 = keyedFormat({ name: "iquest-q1", prefix: "iquest_", keyPrefix: "", gap: "" });

interface KeyedOptions {
  name: string;
  /** Of the names of all tags. @default none */
  prefix?: string;
  /** Of the names of the tags in a call. @default `prefix` */
  keyPrefix?: string;
  suffix?: string;
  /** After the name, keys and values. @default a line break */
  gap?: string;
  /** Whether tags enclose all calls. @default false */
  isBlock?: boolean;
  /** Whether a tag ends the name. @default where tags enclose all calls */
  endsName?: boolean;
  /** Whether a tag may say the type of a value. @default false */
  hasTypes?: boolean;
}

function keyedFormat({
  name,
  prefix = "",
  keyPrefix = prefix,
  suffix = "",
  gap = "\n",
  isBlock = false,
  endsName = isBlock,
  hasTypes = false,
}: KeyedOptions): ToolFormat {
  const tag = (of: string, before = keyPrefix) => ({
    open: `<${before}${of}${suffix}>`,
    close: `</${before}${of}${suffix}>`,
  });
  const [call, key, value] = [tag("tool_call", prefix), tag("arg_key"), tag("arg_value")];
  const block = isBlock ? tag("tool_calls", prefix) : undefined;
  const afterName = endsName ? tag("tool_sep").open : "";
  const type = tag("arg_type").open;
  const types = { text: `${type}string`, other: type };
  const tags = { before: key.open, after: key.close + gap + value.open, end: value.close + gap };
  const begin = (tool: string): string => tool + afterName + gap;
  const between = call.close + gap + call.open;
  const list = block ? { open: `${block.open}\n${call.open}`, close: `${call.close}\n${block.close}` } : call;
  // Hunyuan's templates build the tags.
  const namesBlock = (template: string): boolean =>
    [`<${keyPrefix}${endsName ? "tool_sep" : "arg_key"}`, suffix].every((part) => template.includes(part)) &&
    SUFFIXES.every((other) => other === suffix || !template.includes(other));
  const namesCall = (template: string): boolean =>
    [call.open, key.open, gap === "" && prefix === "" ? tags.after : ""].every((part) =>
      template.includes(part),
    ) && !template.includes("<tool_sep>");
  return {
    name,
    matches: isBlock ? namesBlock : namesCall,
    callFormat: {
      open: [call.open],
      close: [call.close],
      bare: false,
      ...(block ? { around: [block.open, block.close] } : {}),
      endsThought: { before: list.open, after: afterName || gap || "<" },
      body: {
        kind: "xml",
        syntax: {
          call: { before: "", after: afterName },
          member: {
            before: key.open,
            after: key.close,
            value: value.open,
            ...(hasTypes ? { types } : {}),
          },
          memberEnd: value.close,
          end: "",
          isOnLines: false,
          isEscaped: false,
        },
      },
    },
    // xgrammar rejects an empty separator, so the tags between two calls are one.
    callSyntax: {
      trigger: block?.open ?? call.open,
      begin,
      end: "",
      separator: between,
      dialect: tags,
      list,
    },
    write: (calls) => {
      const written = calls.map((one) => begin(one.name) + elements(one, tags));
      return list.open + written.join(between) + list.close;
    },
  };
}
