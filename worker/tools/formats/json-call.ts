import { argumentsText } from "../call-text.ts";
import type { CallSyntax } from "../constraints.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolCall } from "../tool-types.ts";
import type { ToolFormat } from "./tool-format.ts";

/** `{"name": …, "arguments": {…}}` */
function jsonCall(call: ToolCall, key: string): string {
  return `${beginsCall(call.name)}, "${key}": ${respaceJson(argumentsText(call))}}`;
}

/** The trigger of one tool's calls: `{"name": "` alone may be in ordinary text. */
export function beginsCall(name: string): string {
  return `{"name": ${JSON.stringify(name)}`;
}

interface JsonOptions {
  /** Of the arguments. @default `arguments` */
  key?: string;
  /** @default `open` */
  trigger?: CallSyntax["trigger"];
}

/** How calls as JSON objects, each between `open` and `close`, are enforced and written. */
export function jsonCalls(
  open: string,
  close: string,
  separator: string,
  { key = "arguments", trigger = open.trim() }: JsonOptions = {},
): Pick<ToolFormat, "callSyntax" | "write"> {
  return {
    callSyntax: {
      trigger,
      begin: (name) => `${open}${beginsCall(name)}, "${key}": `,
      end: `}${close}`,
      separator,
    },
    write: (calls) => calls.map((call) => open + jsonCall(call, key) + close).join(separator),
  };
}

/** How one JSON list of calls between `open` and `close` is enforced and written. */
export function jsonList(
  open: string,
  close: string,
  trigger: CallSyntax["trigger"] = open,
): Pick<ToolFormat, "callSyntax" | "write"> {
  const list = { open: `${open}[`, close: `]${close}` };
  const { callSyntax, write } = jsonCalls("", "", ", ", { trigger });
  return {
    callSyntax: { ...callSyntax, list },
    write: (calls) => list.open + write(calls) + list.close,
  };
}
