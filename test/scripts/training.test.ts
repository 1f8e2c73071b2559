/** The Python of the built-in models' training that needs no PyTorch. */

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const training = resolve(import.meta.dirname, "../../models/training");
const python = ["python3", "/usr/bin/python3"].find(
  (command) =>
    spawnSync(command, ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], { windowsHide: true })
      .status === 0,
);

test.skipIf(python === undefined).each([
  ["phrasings, chats and thoughts of the chat model's corpus", "", "test_corpus"],
  ["lists of tools, and the requests made of them", "", "test_tool_lists"],
  ["data, pieces and scores of the embedding model's training", "embedding", "test_data"],
])("%s", (_, folder, module) => {
  const { status, stderr } = spawnSync(python!, ["-B", "-m", "unittest", module], {
    cwd: resolve(training, folder),
    encoding: "utf8",
  });
  expect(stderr).toMatch(/Ran [1-9]\d* tests/);
  expect(status, stderr).toBe(0);
});
