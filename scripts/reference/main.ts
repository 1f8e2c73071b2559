/** `npm run reference`: generates docs/reference/, and the tables of chat models and tool formats in docs/models.md. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ensureBuilt } from "../build/ensure-built.ts";
import { readReference } from "./api.ts";
import { withChatModels } from "./chat-models.ts";
import { openapiDocument } from "./openapi.ts";
import { withToolFormats } from "./tool-formats.ts";

const root = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(await readFile(resolve(root, "package.json"), "utf8"));
await mkdir(resolve(root, "docs/reference"), { recursive: true });
await writeFile(
  resolve(root, "docs/reference/openapi.json"),
  `${JSON.stringify(openapiDocument(version), null, 1)}\n`,
);
const guide = resolve(root, "docs/models.md");
await writeFile(guide, withChatModels(withToolFormats(await readFile(guide, "utf8"))));
await ensureBuilt();
await writeFile(resolve(root, "docs/reference/api.md"), (await readReference()).markdown);
