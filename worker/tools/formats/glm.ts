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

interface Tag {
  open: string;
  close: string;
}

interface KeyedTags {
  /** Around all calls. @default none */
  block?: Tag;
  call: Tag;
  /** After the name; may be empty. */
  nameEnd: string;
  key: Tag;
  value: Tag;
  /** Before the type of a value. */
  type: string;
}

function keyedFormat(options: KeyedOptions): ToolFormat {
  const { name, gap = "\n" } = options;
  const tags = keyedTags(options);
  const { block, call, nameEnd, key, value } = tags;
  const argument = { before: key.open, after: key.close + gap + value.open, end: value.close + gap };
  const begin = (tool: string): string => tool + nameEnd + gap;
  const between = call.close + gap + call.open;
  const list = block ? { open: `${block.open}\n${call.open}`, close: `${call.close}\n${block.close}` } : call;
  return {
    name,
    matches: keyedTemplate(options, tags, argument.after),
    callFormat: keyedCalls(options, tags, list.open),
    // xgrammar rejects an empty separator, so the tags between two calls are one.
    callSyntax: {
      trigger: block?.open ?? call.open,
      begin,
      end: "",
      separator: between,
      dialect: argument,
      list,
    },
    write: (calls) => {
      const written = calls.map((one) => begin(one.name) + elements(one, argument));
      return list.open + written.join(between) + list.close;
    },
  };
}

/** How the calls are read. @param start of the first one */
function keyedCalls(
  { gap = "\n", hasTypes = false }: KeyedOptions,
  { block, call, nameEnd, key, value, type }: KeyedTags,
  start: string,
): ToolFormat["callFormat"] {
  return {
    open: [call.open],
    close: [call.close],
    bare: false,
    ...(block ? { around: [block.open, block.close] } : {}),
    endsThought: { before: start, after: nameEnd || gap || "<" },
    body: {
      kind: "xml",
      syntax: {
        call: { before: "", after: nameEnd },
        member: {
          before: key.open,
          after: key.close,
          value: value.open,
          ...(hasTypes ? { types: { text: `${type}string`, other: type } } : {}),
        },
        memberEnd: value.close,
        end: "",
        isOnLines: false,
        isEscaped: false,
      },
    },
  };
}

function keyedTags({
  prefix = "",
  keyPrefix = prefix,
  suffix = "",
  isBlock = false,
  endsName = isBlock,
}: KeyedOptions): KeyedTags {
  const tag = (of: string, before = keyPrefix): Tag => ({
    open: `<${before}${of}${suffix}>`,
    close: `</${before}${of}${suffix}>`,
  });
  return {
    ...(isBlock ? { block: tag("tool_calls", prefix) } : {}),
    call: tag("tool_call", prefix),
    nameEnd: endsName ? tag("tool_sep").open : "",
    key: tag("arg_key"),
    value: tag("arg_value"),
    type: tag("arg_type").open,
  };
}

/** Whether a template writes such calls. @param afterKey between a key and its value */
function keyedTemplate(
  { prefix = "", keyPrefix = prefix, suffix = "", gap = "\n" }: KeyedOptions,
  { block, call, key, nameEnd }: KeyedTags,
  afterKey: string,
): ToolFormat["matches"] {
  if (!block) {
    const parts = [call.open, key.open, gap === "" && prefix === "" ? afterKey : ""];
    return (template) => parts.every((part) => template.includes(part)) && !template.includes("<tool_sep>");
  }
  // Hunyuan's templates build the tags.
  const start = `<${keyPrefix}${nameEnd === "" ? "arg_key" : "tool_sep"}`;
  return (template) =>
    template.includes(start) &&
    template.includes(suffix) &&
    SUFFIXES.every((other) => other === suffix || !template.includes(other));
}
