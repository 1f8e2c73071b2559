/** The files of an app in a guide: blocks whose first line is a comment with their path. */

import { blocksIn } from "../../docs/support/blocks.ts";

const PATH = /^(?:\/\/|<!--) ([\w./-]+\.\w+)(?: -->)?\n/;

/** Path → text, without the line that names the path. */
export function guideFiles(document: string): Record<string, string> {
  const named = blocksIn()
    .filter(({ name }) => name.startsWith(`${document}:`))
    .map(({ code }) => [PATH.exec(code)?.[1], code.replace(PATH, "")] as const);
  return Object.fromEntries(named.filter((file): file is [string, string] => file[0] !== undefined));
}
