import { argumentsText } from "../call-text.ts";
import { respaceJson } from "../python-json.ts";
import type { ToolFormat } from "./tool-format.ts";

/** Functionary 3.2: `>>>` and the recipient; the prompt ends with the first `>>>`, and `all` is the user. */
export const functionary32 = lineFormat("functionary-3.2", ">>>", "Respond in this format:\n>>>", {
  beginsText: "all\n",
});

/** GLM-4 9B: the name in place of a message's metadata. */
export const glm4 = lineFormat("glm-4", "<|assistant|>", "请使用 Json 格式表示调用的参数", {
  results: ["<|observation|>"],
});

/**
 * A name, a line break and JSON, without a marker at the beginning of a reply.
 *
 * @param marker before other calls
 * @param mark of the template
 */
function lineFormat(
  name: string,
  marker: string,
  mark: string,
  more: Pick<ToolFormat["callFormat"], "beginsText" | "results">,
): ToolFormat {
  return {
    name,
    matches: (template) => template.replaceAll("\\n", "\n").includes(mark),
    callFormat: {
      open: [marker],
      close: [],
      bare: false,
      beginsWithName: "\n",
      body: { kind: "named", syntax: { before: "", between: "\n", after: "" } },
      ...more,
    },
    // A line with a tool's name may be text.
    callSyntax: { begin: (tool) => `${tool}\n`, end: "", separator: marker },
    write: (calls) => calls.map((call) => `${call.name}\n${respaceJson(argumentsText(call))}`).join(marker),
  };
}
