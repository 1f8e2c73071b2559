import { pythonCall } from "./python-call.ts";
import type { ToolFormat } from "./tool-format.ts";

const begin = (name: string): string => `${name}(`;

/** The list alone, `[f(key="value")]`: ToolACE, and Llama 3.2 and 4 and Gemma 3 with vLLM's templates. */
export const pythonic: ToolFormat = {
  name: "pythonic",
  matches: (template) => template.includes("[func_name1(param"),
  callFormat: {
    // Llama 4 may write these (vLLM's parser drops them).
    open: ["<|python_start|>"],
    close: ["<|python_end|>"],
    bare: true,
    // Llama 3.2 was trained on JSON.
    body: { kind: "json-or-python" },
  },
  callSyntax: {
    trigger: begin,
    begin,
    end: ")",
    separator: ", ",
    list: { open: "[", close: "]" },
    dialect: "python",
  },
  write: (calls) => `[${calls.map((call) => pythonCall(call)).join(", ")}]`,
};
