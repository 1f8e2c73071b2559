/** Plain data as values of the interpreter. */

import { JsonNumber, JsonObject } from "../json-object.ts";
import {
  boolean,
  exactInteger,
  float,
  integer,
  list,
  mapping,
  NONE,
  text,
  UNDEFINED,
  type Value,
} from "./values.ts";

/** @throws {Error} for functions and other values that JSON does not have; undefined is one in templates */
export function fromData(data: unknown): Value {
  switch (typeof data) {
    case "string":
      return text(data);
    case "boolean":
      return boolean(data);
    case "number":
      return Number.isInteger(data) ? integer(data) : float(data);
    case "undefined":
      return UNDEFINED;
    case "object":
      return data === null ? NONE : fromObject(data);
    default:
      throw new Error(`a ${typeof data} is no value of a template`);
  }
}

function fromObject(data: object): Value {
  if (data instanceof JsonObject) return fromObject(data.members());
  if (data instanceof JsonNumber) return fromNumber(data.text);
  if (Array.isArray(data)) return list(data.map(fromData));
  const entries: Iterable<[string, unknown]> = data instanceof Map ? data : Object.entries(data);
  return mapping(new Map(Array.from(entries, ([key, one]) => [key, fromData(one)])));
}

/** As Python reads JSON: `1e5` is a float. */
function fromNumber(written: string): Value {
  return /[.eE]/.test(written) ? float(Number(written)) : exactInteger(written);
}
