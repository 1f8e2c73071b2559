import * as z from "zod/mini";
import type { InputFormat } from "../json-schema/input-format.ts";

const syntax = z.enum(["lark", "regex"]);
const text = z.object({ type: z.literal("text") });

/** The `format` of a custom tool in a chat; in Responses, a grammar has no object of its own. */
export const chatCustomFormat = z.discriminatedUnion("type", [
  text,
  z.object({ type: z.literal("grammar"), grammar: z.object({ definition: z.string(), syntax }) }),
]);

/** The same in Responses. */
export const customFormat = z.discriminatedUnion("type", [
  text,
  z.object({ type: z.literal("grammar"), definition: z.string(), syntax }),
]);

type Grammar = { definition: string; syntax: "lark" | "regex" };

export function toInputFormat(grammar: Grammar | undefined): InputFormat {
  return grammar ? { type: grammar.syntax, definition: grammar.definition } : { type: "text" };
}
