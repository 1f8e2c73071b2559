/** Skips the tests that `scripts/test/expected-skips.ts` lists for the current browser, with the reason. */

import { beforeEach } from "vitest";
import { expectedSkips } from "../../scripts/test/expected-skips.ts";

beforeEach(({ task, skip }) => {
  const project = String(import.meta.env!.TEST_PROJECT);
  // The name as in the report, which the tally matches against the same table.
  const fullName = task.fullTestName.replaceAll(" > ", " ");
  const entry = expectedSkips.find(
    ({ file, name = "", projects }) =>
      projects?.includes(project) && task.file.name === file && fullName.includes(name),
  );
  if (entry) skip(entry.because);
});
