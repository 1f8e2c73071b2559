/** How derived calls are enforced and written: as the template writes them, character by character. */

import type { ArgumentsDialect } from "../../../json-schema/arguments/arguments-grammar.ts";
import { literal } from "../../../json-schema/grammar/grammar-text.ts";
import { argumentsText } from "../../call-text.ts";
import type { CallSyntax } from "../../constraints.ts";
import { respaceJson } from "../../python-json.ts";
import type { ToolCall } from "../../tool-types.ts";
import { elements } from "../elements.ts";
import { jsonLiteral, pythonCall } from "../python-call.ts";
import type { ToolFormat } from "../tool-format.ts";
import { firstTag, type Surroundings } from "./call-markers.ts";

interface DerivedSyntax extends Surroundings {
  /** Between a tool's name and its arguments, or its id. */
  afterName?: string;
  /** Between the arguments and the name, where it follows them. @default it comes first */
  beforeName?: string;
  /** Between its id and its arguments. @default calls have no ids */
  afterId?: string | undefined;
  dialect: ArgumentsDialect;
}

/** The texts around and between calls are the list's, as xgrammar refuses an empty separator. */
export function derivedSyntax(given: DerivedSyntax): Pick<ToolFormat, "callSyntax" | "write"> {
  const { before, after, afterName = "", beforeName, afterId, dialect } = given;
  const { between = `${after}\n${before}` } = given;
  const isLast = beforeName !== undefined;
  const begin = (name: string): string => (isLast ? "" : name + afterName);
  const tail = (name: string): string => (isLast ? beforeName + name : "");
  const tag = firstTag(before);
  const isTagged = tag !== "" && before.startsWith(tag);
  // Else one name may begin another, which xgrammar refuses of triggers.
  const isNameEnded = /^[^\w-]/.test(afterName);
  const callSyntax: CallSyntax = {
    // A name alone may be in ordinary text.
    ...(isTagged ? { trigger: tag } : before === "" || !isNameEnded ? {} : { trigger: begin }),
    begin,
    ...(isLast ? { tail } : {}),
    ...(afterId === undefined ? {} : { head: `root ::= [A-Za-z0-9_-]{1,64} ${literal(afterId)}` }),
    end: "",
    separator: between,
    dialect,
    list: { open: before, close: after },
  };
  const idOf = (call: ToolCall): string => (afterId === undefined ? "" : call.id + afterId);
  const write = (calls: readonly ToolCall[]): string =>
    before +
    calls
      .map((call) => begin(call.name) + idOf(call) + written(call, dialect) + tail(call.name))
      .join(between) +
    after;
  return { callSyntax, write };
}

function written(call: ToolCall, dialect: ArgumentsDialect): string {
  if (typeof dialect === "object") return elements(call, dialect);
  if (dialect === "json") return respaceJson(argumentsText(call));
  return pythonCall({ ...call, name: "" }, dialect === "keywords" ? jsonLiteral : undefined).slice(1, -1);
}
