/** Errors for values that `validate` refuses: a part, as most requests are valid. */

import type * as z from "zod/mini";
import { type ApiError, badRequest } from "../api-error.ts";
import { EXPECTED_INTEGER, type IntegerIssue } from "./fields.ts";
import { integerOutOfRange } from "./integer-range.ts";
import { shown, supported, wrongType } from "./values-in-errors.ts";

type Issue = z.core.$ZodIssue;

/** OpenAI's 400 for the first of zod's issues. */
export function invalidValue([first]: readonly Issue[]): ApiError {
  return toApiError(deepest(first!));
}

/** For unions, reports the branch whose issue is deepest in the value: most likely the intended one. */
function deepest(issue: Issue, prefix: PropertyKey[] = []): Issue {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return { ...typed(issue), path };
  const inner = issue.errors.flatMap((branch) => (branch[0] ? [deepest(branch[0], path)] : []));
  const depth = Math.max(...inner.map((one) => one.path.length));
  const found = inner.filter((one) => one.path.length === depth);
  if (depth === path.length && found.every((one) => one.code === "invalid_type")) {
    return {
      ...found[0]!,
      expected: found.map((one) => (one as { expected: string }).expected).join("|"),
    } as Issue;
  }
  // Among equally deep issues, prefer the one furthest along the list.
  const furthest = found.toSorted((a, b) => lastIndex(b) - lastIndex(a));
  return furthest.find((one) => one.code !== "invalid_type") ?? furthest[0]!;
}

/** zod calls each other value of an enum an `invalid_value`, also one of another type. */
function typed(issue: Issue): Issue {
  if (issue.code !== "invalid_value" || issue.input === undefined || typeof issue.input === "string")
    return issue;
  return issue.values.every((value) => typeof value === "string")
    ? { ...issue, code: "invalid_type", expected: "string" }
    : issue;
}

function lastIndex({ path }: Issue): number {
  const last = path.at(-1);
  return typeof last === "number" ? last : -1;
}

function toApiError(issue: Issue): ApiError {
  const param = pathText(issue.path);
  switch (issue.code) {
    case "invalid_type": {
      if (issue.input === undefined) return missing(param);
      const expected = issue.message === EXPECTED_INTEGER ? "an integer" : expectedText(issue.expected);
      return wrongType(param, expected, issue.input);
    }
    case "too_big":
    case "too_small":
      return outOfRange(issue, param);
    case "invalid_value":
      if (issue.input === undefined) return missing(param);
      return badRequest(
        "invalid_value",
        param,
        `Invalid value: ${shown(issue.input)}. ${supported(issue.values)}`,
      );
    case "custom":
      if (issue.params?.range)
        return invalidInteger(issue.input as number, param, issue.params as IntegerIssue);
      if (typeof issue.params?.code !== "string") return invalid(issue, param);
      return badRequest(
        issue.params.code,
        param,
        issue.message.replace("{param}", () => param),
      );
    case "invalid_union":
      if (issue.discriminator) return unknownKind(issue, issue.discriminator, param);
      return invalid(issue, param);
    case "invalid_key":
      return invalidKey(issue);
    default:
      return invalid(issue, param);
  }
}

function invalid(issue: Issue, param: string): ApiError {
  return badRequest("invalid_value", param, `Invalid '${param}': ${issue.message}.`);
}

function invalidInteger(value: number, param: string, { range }: IntegerIssue): ApiError {
  return Number.isInteger(value)
    ? integerOutOfRange(param, value, range)
    : wrongType(param, "an integer", value);
}

function invalidKey({ path, issues }: z.core.$ZodIssueInvalidKey): ApiError {
  const param = pathText(path.slice(0, -1));
  const text = `Invalid key in '${param}': ${shown(path.at(-1))}. ${issues[0]!.message}.`;
  return badRequest("invalid_value", param, text);
}

function missing(param: string): ApiError {
  return badRequest("missing_required_parameter", param, `Missing required parameter: '${param}'.`);
}

/** Error for an unknown discriminator value. */
function unknownKind(issue: z.core.$ZodIssueInvalidUnion, discriminator: string, param: string): ApiError {
  const value = (issue.input as Record<string, unknown> | undefined)?.[discriminator];
  if (value === undefined) return missing(param);
  if (typeof value !== "string") return wrongType(param, "a string", value);
  const options = "options" in issue ? (issue.options as unknown[]) : [];
  return badRequest("invalid_value", param, `Invalid value: ${shown(value)}. ${supported(options)}`);
}

function outOfRange(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, param: string): ApiError {
  const above = issue.code === "too_big";
  const limit = above ? issue.maximum : issue.minimum;
  const word = above ? "above" : "below";
  const bound = above ? "max" : "min";
  if (issue.origin === "array" || issue.origin === "string") {
    const length = (issue.input as { length?: number } | undefined)?.length ?? 0;
    const what = above ? "maximum" : "minimum";
    const unit = issue.origin === "array" ? "an array" : "a string";
    if (!above && length === 0) {
      const empty = `empty ${issue.origin}`;
      return badRequest(
        issue.origin === "array" ? "empty_array" : "empty_string",
        param,
        `Invalid '${param}': ${empty}. Expected ${unit} with minimum length ${limit}, but got an ${empty} instead.`,
      );
    }
    const text = `Invalid '${param}': ${issue.origin} too ${above ? "long" : "short"}. Expected ${unit} with ${what} length ${limit}, but got ${unit} with length ${length} instead.`;
    return badRequest(`${issue.origin}_${word}_${bound}_length`, param, text);
  }
  const kind = issue.origin === "int" ? "integer" : "decimal";
  const comparison = above ? (issue.inclusive ? "<=" : "<") : issue.inclusive ? ">=" : ">";
  const text = `Invalid '${param}': ${kind} ${word} ${above ? "maximum" : "minimum"} value. Expected a value ${comparison} ${limit}, but got ${shown(issue.input)} instead.`;
  return badRequest(`${kind}_${word}_${bound}_value`, param, text);
}

/** OpenAI's path format: `messages[0].content`. */
function pathText(path: PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

const TYPE_WORDS: Record<string, string> = {
  number: "a decimal",
  int: "an integer",
  string: "a string",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

function expectedText(expected: string): string {
  const words = [...new Set(expected.split("|"))].map((one) => TYPE_WORDS[one] ?? one);
  return words.length === 1 ? words[0]! : `one of ${words.join(" or ")}`;
}
