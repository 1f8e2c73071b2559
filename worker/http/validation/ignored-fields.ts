/** Unknown fields of a body are ignored, as by other servers, and listed in a response header. */

import { isObject } from "../../../src/shared/is-object.ts";
import { wellFormed } from "../../engine-api/well-formed.ts";

/** Lists the ignored fields, percent-encoded and separated by commas. */
const IGNORED_HEADER = "x-infetch-ignored-parameters";

const MAX_LISTED = 32;
const MAX_NAME_LENGTH = 64;

/**
 * The header of a response to `body`; empty if all fields are known or null.
 *
 * @param known the fields that the endpoint reads or refuses by name; with a point, those of an object
 */
export function ignoredHeader(body: object, known: ReadonlySet<string>): Record<string, string> {
  const names = Object.entries(body).flatMap(([name, value]) =>
    known.has(name) ? unknownWithin(name, value, known) : isSent(value) ? [name] : [],
  );
  if (names.length === 0) return {};
  const listed = names.slice(0, MAX_LISTED).map((name) => encodeName(name.slice(0, MAX_NAME_LENGTH)));
  return { [IGNORED_HEADER]: listed.join(", ") + (names.length > MAX_LISTED ? ", ..." : "") };
}

/** Fields of an object that are not known, if some are. */
function unknownWithin(name: string, value: unknown, known: ReadonlySet<string>): string[] {
  const prefix = `${name}.`;
  if (!isObject(value) || ![...known].some((one) => one.startsWith(prefix))) return [];
  return Object.entries(value).flatMap(([inner, one]) =>
    known.has(prefix + inner) || !isSent(one) ? [] : [prefix + inner],
  );
}

function isSent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Names are untrusted: escape characters that end a header or that `Headers` rejects. */
function encodeName(name: string): string {
  return encodeURIComponent(wellFormed(name));
}
