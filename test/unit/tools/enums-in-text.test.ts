/** Enums whose texts begin alike, in every way to write arguments that is not JSON. */

import { expect, test } from "vitest";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm47 } from "../../../worker/tools/formats/glm.ts";
import { kimiK3 } from "../../../worker/tools/formats/kimi-k3.ts";
import { minimaxM3 } from "../../../worker/tools/formats/minimax-m3.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";
import { acceptedCalls, callWith } from "./support/accepted-calls.ts";

test.each([xml, glm47, kimiK3, minimaxM3, functionGemma, gemma4])(
  "$name: only the values of an enum are accepted",
  async (format) => {
    const values = ["xb", "abb", "abbb", "abbbb", "", 1, 11, 111, ["xb"]];
    const wrong = ["abbbbbbbb", "xbbb", "abbbbb", "x", "ab", 1111, 2, ["abb"]];
    const calls = [...values, ...wrong].map((value) => callWith(format, value));
    const accepted = await acceptedCalls(format, { enum: values }, calls, { strict: true });
    expect(accepted).toEqual([...values.map(() => true), ...wrong.map(() => false)]);
  },
);
