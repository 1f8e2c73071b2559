/** The chat template of a hub model comes from whichever file its repository has. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { placeModelFiles } from "../../../worker/engines/webllm/load/model-files.ts";
import { type HubApp, hubApp, TEST_GPU } from "../../support/hub-app.ts";
import { mlcFiles } from "../../support/hub-files.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(() => tested.hub.close());

const inConfig = { "tokenizer_config.json": JSON.stringify({ chat_template: "config", bos_token: "<s>" }) };
const inJson = { "chat_template.json": JSON.stringify({ chat_template: "json" }) };
const inJinja = { "chat_template.jinja": "jinja" };
const forTools = { "additional_chat_templates/tool_use.jinja": "with tools" };

test.each([
  ["none", {}, undefined],
  [
    "tokenizer_config.json, which the build does not list",
    inConfig,
    { chat_template: "config", bos_token: "<s>" },
  ],
  ["chat_template.json", { ...inConfig, ...inJson }, { chat_template: "json", bos_token: "<s>" }],
  [
    "chat_template.jinja",
    { ...inConfig, ...inJson, ...inJinja },
    { chat_template: "jinja", bos_token: "<s>" },
  ],
  ["chat_template.jinja alone", inJinja, { chat_template: "jinja" }],
  [
    "chat_template.jinja, and one for tools in its folder",
    { ...inJinja, ...forTools },
    {
      chat_template: [
        { name: "default", template: "jinja" },
        { name: "tool_use", template: "with tools" },
      ],
    },
  ],
  ["chat_template.json, without one for tools", { ...inJson, ...forTools }, { chat_template: "json" }],
])("template in %s", async (_, files, config) => {
  tested.repository.commit({ ...mlcFiles(), ...files });
  expect(await tested.chat()).toMatchObject({ status: 200 });
  const record = tested.services.catalog.find("hub-model")!;
  if (record.kind !== "chat") throw new Error("It is a chat model.");
  const placed = await placeModelFiles(TEST_GPU, record.builds.webllm!, () => {}, tested.environment);
  expect(placed.tokenizerConfig).toEqual(config);
});
