import * as z from "zod/mini";

/** The name of a tool or schema, with OpenAI's codes for one that is empty, too long, or has other characters. */
export function identifier(maxLength: number) {
  const pattern = /^[a-zA-Z0-9_-]+$/;
  const message = `string does not match pattern. Expected a string that matches the pattern '${pattern.source}'`;
  return z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(pattern, message));
}
