/** Loads parts of the server that are separate files on first use (docs/decisions/111). */

import { fileFault } from "./diagnosis.ts";

/** The file did not load: the page is offline without it, or the host lacks files of the package. */
export class PartError extends Error {
  override name = "PartError" as const;
  readonly code = "part_unavailable";

  constructor(why: string, cause: unknown) {
    super(`A part of infetch's server did not load. ${why} Then reload the page.`, { cause });
  }
}

/** @throws {PartError} */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof PartError) throw error;
    throw new PartError(await explain(load), error);
  }
}

const REMEDY = "Check the connection, and that all files of the package are served.";

/** Not every browser names the file that failed: read the address from the source of `load`. */
async function explain(load: () => unknown): Promise<string> {
  const name = /import\(\s*[`"'](\.[^`"']+)/.exec(String(load))?.[1];
  if (!name) return REMEDY;
  const { href } = new URL(name, import.meta.url);
  return (await fileFault(href, "module")) ?? `${href} did not load. ${REMEDY}`;
}
