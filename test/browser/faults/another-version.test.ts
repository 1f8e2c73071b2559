/** An app that is updated while its page is open: engines that start later are those of the new release. */

import { expect, test } from "vitest";
import { version } from "../../../package.json" with { type: "json" };
import { chromiumArguments } from "../../../scripts/browsers/chromium.ts";
import { ends } from "../../faults/support/watchdog.ts";
import type { ScriptEdits } from "../../support/watched-server.ts";
import { type Answer, openPage, send } from "./support/page.ts";

const ENGINES = {
  "webllm.js": [
    "/chat/completions",
    { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }] },
  ],
  "transformers.js": ["/embeddings", { model: "infetch-tiny-embed", input: "Hello!" }],
} as const;

test("an engine of another release is refused by name, and runs once its file is the right one", async () => {
  const update = (code: string): string => code.replaceAll(`\`${version}\``, "`9.9.9`");
  const edits: ScriptEdits = { "/worker/webllm.js": update, "/worker/transformers.js": update };
  const opened = await openPage(async () => {}, chromiumArguments, edits);
  try {
    const ask = ([path, body]: readonly [string, object]): Promise<Answer> =>
      ends(path, send(opened.page, path, body));
    for (const [file, request] of Object.entries(ENGINES)) {
      const { status, body } = await ask(request);
      expect([status, body.error?.code]).toEqual([503, "assets_of_another_version"]);
      expect(body.error?.message).toContain(
        `/worker/${file} is of infetch 9.9.9, the page's code of ${version}`,
      );
    }
    for (const path of Object.keys(edits)) delete edits[path];
    for (const request of Object.values(ENGINES)) expect((await ask(request)).status).toBe(200);
  } finally {
    await opened.close();
  }
});
