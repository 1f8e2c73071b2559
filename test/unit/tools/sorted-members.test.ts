/** Gemma's templates sort the members of definitions and calls, and so does the model: a constraint expects that order. */

import { expect, test } from "vitest";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { acceptedTexts } from "./support/accepted-calls.ts";

const place = { type: "object", properties: { zip: { type: "integer" }, City: { type: "integer" } } };
const parameters = {
  type: "object",
  properties: {
    query: { type: "integer" },
    place,
    Limit: { type: "integer" },
    either: { anyOf: [place, { type: "null" }] },
  },
  required: ["query"],
};
const tool = { type: "function", function: { name: "f", parameters } } as const;

test.each([functionGemma, gemma4])("$name: members are sorted by name", async (format) => {
  const args = { query: 1, place: { zip: 2, City: 3 }, Limit: 4, either: { zip: 5, City: 6 } };
  const written = format.write([{ id: "call_1", name: "f", arguments: JSON.stringify(args) }]);
  const sorted = "{either:{City:6,zip:5},Limit:4,place:{City:3,zip:2},query:1}";
  expect(written).toContain(sorted);
  const other = (text: string): string => written.replace(sorted, text);
  const texts = [
    written,
    other("{Limit:4,query:1}"),
    other("{query:1}"),
    other("{query:1,Limit:4}"),
    other("{Limit:4}"),
  ];
  expect(await acceptedTexts(tool, format, texts)).toEqual([true, true, true, false, false]);
});
