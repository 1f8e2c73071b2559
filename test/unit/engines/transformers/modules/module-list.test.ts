import { expect, test } from "vitest";
import {
  modesOf,
  poolingOf,
  readModules,
} from "../../../../../worker/engines/transformers/modules/module-list.ts";

const list = (...kinds: string[]) =>
  kinds.map((kind, at) => ({ path: `${at}_${kind}`, type: `sentence_transformers.models.${kind}` }));

test("all modules that follow the pooling are steps, but for the last Normalize, and Dropout, which is for training", () => {
  const kinds = ["Transformer", "Pooling", "Normalize", "Dropout", "Dense", "LayerNorm"];
  const steps = [
    { kind: "Normalize", folder: "2_Normalize" },
    { kind: "Dense", folder: "4_Dense" },
    { kind: "LayerNorm", folder: "5_LayerNorm" },
  ];
  expect(readModules(list(...kinds))).toMatchObject({ steps, normalizes: false, foreign: undefined });
  expect(readModules(list(...kinds, "Normalize"))).toMatchObject({ steps, normalizes: true });
  expect(readModules(list("Transformer", "Pooling", "Normalize"))).toMatchObject({
    steps: [],
    normalizes: true,
  });
});

// `Pooling` of sentence-transformers 5.4: a list keeps its order, the flags of earlier versions have theirs.
test.each([
  [{ pooling_mode: ["mean", "max"] }, "mean+max"],
  [
    { pooling_mode_lasttoken: true, pooling_mode_mean_tokens: true, pooling_mode_cls_token: true },
    "cls+mean+last_token",
  ],
  [{ pooling_mode_cls_token: true, pooling_mode_new_tokens: true }, undefined],
])("several poolings are joined: %j", (configuration, pooling) => {
  expect(poolingOf(modesOf(configuration))).toBe(pooling);
});

test("a module whose path is null is the repository's own folder", () => {
  const [network, pooling] = list("Transformer", "Pooling");
  expect(readModules([{ ...network!, path: null }, pooling!])).toMatchObject({
    transformerFolder: undefined,
    poolingFolder: "1_Pooling",
  });
});

test("a pooling that is no name is shown as it is written", () => {
  expect(modesOf({ pooling_mode: ["mean", { mode: "max" }, 5] })).toEqual(["mean", '{"mode":"max"}', "5"]);
});
