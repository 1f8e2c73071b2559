/** How derived calls are enforced and written: as the template writes them, character by character. */

import type { ArgumentsDialect } from "../../../json-schema/arguments/arguments-grammar.ts";
import { argumentsText } from "../../call-text.ts";
import type { CallSyntax } from "../../constraints.ts";
import { respaceJson } from "../../python-json.ts";
import type { ToolCall } from "../../tool-types.ts";
import { elements } from "../elements.ts";
import { jsonLiteral, pythonCall } from "../python-call.ts";
import type { ToolFormat } from "../tool-format.ts";
import { firstTag, type Surroundings } from "./call-markers.ts";

interface DerivedSyntax extends Surroundings {
  /** Between a tool's name and its arguments. */
  afterName: string;
  dialect: ArgumentsDialect;
}

/** The texts around and between calls are the list's, as xgrammar refuses an empty separator. */
export function derivedSyntax(given: DerivedSyntax): Pick<ToolFormat, "callSyntax" | "write"> {
  const { before, after, afterName, dialect } = given;
  const { between = `${after}\n${before}` } = given;
  const begin = (name: string): string => name + afterName;
  const tag = firstTag(before);
  const callSyntax: CallSyntax = {
    trigger: tag !== "" && before.startsWith(tag) ? tag : begin,
    begin,
    end: "",
    separator: between,
    dialect,
    list: { open: before, close: after },
  };
  const write = (calls: readonly ToolCall[]): string =>
    before + calls.map((call) => begin(call.name) + written(call, dialect)).join(between) + after;
  return { callSyntax, write };
}

function written(call: ToolCall, dialect: ArgumentsDialect): string {
  if (typeof dialect === "object") return elements(call, dialect);
  if (dialect === "json") return respaceJson(argumentsText(call));
  const literal = dialect === "keywords" ? jsonLiteral : undefined;
  return pythonCall({ ...call, name: "" }, literal).slice(1, -1);
}
