/** Errors of a call with invalid options or in an unsupported environment. A lazy chunk: valid pages do not need it. */

import { findUnknownNames } from "../protocol/options/option-names.ts";
import { PARALLEL_VALUES } from "../protocol/parallel.ts";
import { isObject } from "../shared/is-object.ts";
import { GROUPS, invalidNames, type Kind, RUNTIME_OPTIONS } from "./check-options.ts";

/**
 * Builds the error for invalid options.
 *
 * @returns an error that names each unknown option with the closest known name, and each option with a wrong value
 */
export function optionsError(options: unknown): TypeError {
  if (!isObject(options) || options instanceof URL)
    return new TypeError(`The options of createRuntime() must be an object, for example { baseURL: "/v1" }.`);
  const words = [
    ...wordsFor("", options, RUNTIME_OPTIONS),
    ...Object.entries(GROUPS).flatMap(([name, kinds]) => {
      const group = (options as Record<string, unknown>)[name];
      return typeof group === "object" ? wordsFor(`${name}.`, group ?? {}, kinds) : [];
    }),
  ];
  return new TypeError(words.join(" "));
}

const WORDS: Record<Kind, string> = {
  address: "a URL, as a string or URL object",
  boolean: "true or false",
  text: "a non-empty string",
  token: "an access token: a string without spaces",
  list: "an array",
  object: "an object",
  "false or object": "false or an object",
  "whole number": "a whole number",
  count: "a whole number of at least 1",
  size: "a number greater than 0",
  "keep-alive": "a number of 0 or more, or -1",
  grace: "a whole number from 0 to 86400000 (24 hours)",
  parallel: PARALLEL_VALUES,
  sampling: `"api" or "model"`,
  device: `"auto", "webgpu" or "wasm"`,
  any: "something else",
};

function wordsFor(where: string, options: object, kinds: Record<string, Kind>): string[] {
  const unknown = findUnknownNames(where, options, Object.keys(kinds));
  const wrong = invalidNames(options, kinds).filter((name) => Object.hasOwn(kinds, name));
  return [
    ...(unknown ? [unknown] : []),
    ...wrong.map((name) => `${where}${name} must be ${WORDS[kinds[name]!]}.`),
  ];
}

/** Explains why this page cannot run a runtime, and how to fix it. */
export function explainEnvironment(): { code: string; message: string } {
  if (![AbortSignal.any, URL.canParse].every(Boolean)) {
    return {
      code: "unsupported_browser",
      message:
        "This browser is too old: infetch needs Chrome or Edge 120, Firefox 124 or Safari 17.4, or later.",
    };
  }
  if (!globalThis.isSecureContext) {
    return {
      code: "insecure_context",
      message: `infetch needs a secure context, and ${location.origin} is not one. Serve the page over https, or open it on http://localhost.`,
    };
  }
  if (globalThis.origin === "null") {
    return {
      code: "opaque_origin",
      message:
        "This page has an opaque origin, which has no storage. Add allow-same-origin to the sandbox attribute of its frame, or serve the page over https instead of from a file.",
    };
  }
  return {
    code: "web_locks_unavailable",
    message: navigator.locks
      ? "The browser denies this page storage, and with it Web Locks, which infetch needs. Allow this site to store data; for a frame in a page of another site, allow third-party cookies, or open it in a tab of its own."
      : "infetch needs the Web Locks API, which this browser lacks. Update it.",
  };
}
