/** Loads parts of the server that are separate files on first use (docs/decisions/111). */

import { fileFault } from "../../src/protocol/assets/asset-diagnosis.ts";
import { withinLimit } from "../../src/protocol/liveness/awake-timeout.ts";
import { abortable } from "../../src/shared/abortable.ts";

/** The file did not load: the page is offline without it, or the host lacks files of the package. */
export class PartError extends Error {
  override name = "PartError" as const;
  readonly code = "part_unavailable";

  constructor(why: string, cause: unknown) {
    super(`A part of infetch's server did not load. ${why} Then reload the page.`, { cause });
  }
}

/** A server that accepts the connection and sends nothing is a fault, too: browsers wait for it without a limit. */
const LIMIT_MS = 120_000;

/** @throws {PartError}; the signal's reason if it aborts first */
export async function loadPart<Part>(load: () => Promise<Part>, signal?: AbortSignal): Promise<Part> {
  try {
    const part = withinLimit(load(), LIMIT_MS, () => isLate(load));
    return await (signal ? abortable(part, signal) : part);
  } catch (error) {
    if (error instanceof PartError || signal?.aborted) throw error;
    throw new PartError(await explain(load), error);
  }
}

const REMEDY = "Check the connection, and that all files of the package are served.";

function isLate(load: () => unknown): PartError {
  return new PartError(
    `${addressOf(load) ?? "Its file"} did not arrive within two minutes. ${REMEDY}`,
    undefined,
  );
}

async function explain(load: () => unknown): Promise<string> {
  const address = addressOf(load);
  if (!address) return REMEDY;
  return (await fileFault(address, "module")) ?? `${address} did not load. ${REMEDY}`;
}

/** Not every browser names the file that failed: read the address from the source of `load`. */
function addressOf(load: () => unknown): string | undefined {
  const name = /import\(\s*[`"'](\.[^`"']+)/.exec(String(load))?.[1];
  return name && new URL(name, import.meta.url).href;
}
