/** Facts in a document are delimited by HTML comments: `<!-- fact tarball -->29.5 MB<!-- /fact -->`. */

import type { Facts } from "./measure.ts";

/** Documents with facts. */
export const FACT_DOCUMENTS = ["README.md", "docs/comparison.md", "docs/endpoints.md", "docs/packaging.md"];

const FACT = /<!-- fact ([\w-]+) -->.*?<!-- \/fact -->/g;

/** Updates each fact in `text`. @throws for an unknown name */
export function writeFacts(text: string, facts: Facts): string {
  return text.replaceAll(FACT, (_, name: string) => {
    if (!Object.hasOwn(facts, name)) throw new Error(`There is no fact "${name}".`);
    return `<!-- fact ${name} -->${facts[name]}<!-- /fact -->`;
  });
}

/** Names of the facts in a document. */
export function factsIn(text: string): string[] {
  return [...text.matchAll(FACT)].map(([, name]) => name!);
}
