/** Schemas and tools above the complexity budget of a request get a 400 that says so. */

import { describe, expect, test, vi } from "vitest";
import { ends } from "../faults/support/watchdog.ts";
import { testApp } from "../support/test-app.ts";

const messages = [{ role: "user", content: "go" }];
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const named = (schemas: unknown[]) => Object.fromEntries(schemas.map((schema, at) => [`p${at}`, schema]));
const pattern = (source: string) => ({ type: "string", pattern: source });
const object = (...schemas: unknown[]) => ({ type: "object", properties: named(schemas) });
const strict = (...schemas: unknown[]) => ({
  ...object(...schemas),
  required: schemas.map((_, at) => `p${at}`),
  additionalProperties: false,
});

/** A chain of definitions, each of which references the next. */
const chain = (length: number, link: (next: object) => object) => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    many(length, (at) => [
      `d${at}`,
      at + 1 < length ? link({ $ref: `#/$defs/d${at + 1}` }) : { type: "string" },
    ]),
  ),
});
const nested = (depth: number, wrap: (inner: object) => object): object =>
  many(depth, () => wrap).reduce<object>((inner, outer) => outer(inner), { type: "string" });

function formatted(schema: unknown, isStrict = false) {
  const response_format = { type: "json_schema", json_schema: { name: "a", strict: isStrict, schema } };
  return { model: "infetch-tiny", messages, response_format };
}

const asTool = (parameters: unknown, name = "f") => ({ type: "function", function: { name, parameters } });

async function send(body: object): Promise<{ status: number; error?: Record<string, string> }> {
  const { post } = await testApp({ reply: () => ["{}"] });
  const response = await ends("the answer", post("/v1/chat/completions", body));
  const { error } = await response.json();
  return { status: response.status, error };
}

describe("a schema over budget is a 400 that says so, strict or not", () => {
  test.each<[string, unknown]>([
    ["30 expensive patterns", strict(...many(30, () => pattern("^(a?){900}$")))],
    ["300 of them, all different", strict(...many(300, (at) => pattern(`^(a?){${700 + at}}$`)))],
    [
      "1,000 references in a chain",
      { type: "object", properties: { a: 0 }, ...chain(1_000, (next) => next) },
    ],
    ["1,000 objects in a chain", chain(1_000, (next) => strict(next))],
    ["2,000 nested groups", strict(pattern(`^${"(".repeat(2_000)}a${")".repeat(2_000)}$`))],
    ["references that lead back through allOf", chain(2, (next) => ({ allOf: [next, { $ref: "#" }] }))],
    ["patterns of wide classes", strict(...many(200, (at) => pattern(`^(.[^${at}]){100}$`)))],
    [
      "numbers between a thousand bounds",
      strict(...many(1_000, (at) => ({ type: "number", minimum: at + 0.12345, maximum: at * 7 + 9.87654 }))),
    ],
    ["an enum of 100,000", strict({ enum: many(100_000, String) })],
    ["an anyOf a hundred deep", nested(120, (inner) => ({ anyOf: [inner, { type: "null" }] }))],
    [
      "an allOf of thousands",
      {
        type: "object",
        allOf: many(4_000, (at) =>
          object(...many(at === 0 ? 0 : 1, () => ({ type: "string", title: `${at}` }))),
        ),
        properties: named(many(900, () => ({ type: "string" }))),
      },
    ],
  ])("%s", async (_, schema) => {
    for (const isStrict of [true, false]) {
      const { status, error } = await send(formatted(schema, isStrict));
      expect(status).toBe(400);
      expect(error).toMatchObject({ code: "invalid_json_schema", param: "response_format" });
    }
  });
});

test("the budget is one for all tools and the schema of a request", async () => {
  const costly = strict(...many(6, (at) => pattern(`^[a-z]{0,${1_000 + at}}$`)));
  expect((await send({ model: "infetch-tiny", messages, tools: [asTool(costly)] })).status).toBe(200);
  const tools = many(128, (at) => asTool(costly, `f${at}`));
  const { status, error } = await send({ model: "infetch-tiny", messages, tools });
  expect(status).toBe(400);
  expect(error).toMatchObject({ code: "invalid_function_parameters" });
  expect(error?.param).toMatch(/^tools\[\d+\]\.function\.parameters$/);
  expect(error?.message).toMatch(/too complex.*limit.*one request/);
  const both = { ...formatted(costly), tools: tools.slice(0, 20) };
  expect((await send(both)).error).toMatchObject({ param: expect.stringMatching(/tools|response_format/) });
});

describe("patterns that repeat nothing, or too much", () => {
  test.each<[string, string, 200 | 400]>([
    ["nothing", "^(){99999999999999}$", 200],
    ["nothing, in several ways", "^(()|(x{0})){5,99999999999999}b$", 200],
    ["nothing, over and over", "^((a{0}){9999999}){9999999}$", 200],
    ["an empty group", "^(?:)*$", 200],
    ["something or nothing", "^(a|){99999999999999}$", 400],
    ["a count of 400 digits", `^a{${"9".repeat(400)}}$`, 400],
    ["counts of counts", "^((a{1,1000}){1,1000}){1,1000}$", 400],
    ["many options", `^(${"a?".repeat(9_000)}){3}$`, 400],
  ])("%s", async (_, source, expected) => {
    const { status, error } = await send(formatted(strict(pattern(source)), true));
    expect(status).toBe(expected);
    if (expected === 400)
      expect(error).toMatchObject({ param: "response_format", code: "invalid_json_schema" });
  });
});

/** How many sets are made while a request is compiled: a large one takes kilobytes. */
async function setsFor(body: object): Promise<{ sets: number; status: number; message: string | undefined }> {
  let sets = 0;
  class CountedSet<T> extends Set<T> {
    constructor(values?: Iterable<T> | null) {
      super(values);
      sets++;
    }
  }
  vi.stubGlobal("Set", CountedSet);
  const { status, error } = await send(body).finally(() => vi.unstubAllGlobals());
  return { sets, status, message: error?.message };
}

test("a pattern that is too long is refused or ignored before memory is taken for its characters", async () => {
  const dots = await setsFor(formatted(strict(pattern(".".repeat(50_000)))));
  expect(dots).toMatchObject({ status: 200 });
  expect(dots.sets).toBeLessThan(5_000);
  const classes = await setsFor(formatted(strict(pattern("[^a]".repeat(60_000)))));
  expect(classes).toMatchObject({ status: 400, message: expect.stringContaining("automaton members") });
  const structured_outputs = { regex: ".".repeat(100_000) };
  const regex = await setsFor({ model: "infetch-tiny", messages, structured_outputs });
  expect(regex).toMatchObject({ status: 400, message: expect.stringContaining("65536 characters") });
  expect(regex.sets).toBeLessThan(5_000);
});

test("what people write is within the budget", async () => {
  const formats = [
    "date-time",
    "date",
    "time",
    "email",
    "uuid",
    "uri",
    "ipv4",
    "ipv6",
    "hostname",
    "duration",
  ];
  const person = strict(
    ...formats.map((format) => ({ type: "string", format })),
    ...many(20, (at) => ({ type: "integer", minimum: 0, maximum: 10 ** (at % 9) })),
    ...many(20, (at) => ({ type: "string", maxLength: 100 + at })),
    { enum: many(200, (at) => `value-${at}`) },
    pattern("^[A-Z]{2}-\\d{3,12}(-[a-z0-9]{1,32})?$"),
  );
  expect((await send(formatted(person, true))).status).toBe(200);
  const tools = many(16, (at) => asTool(object({ type: "string" }, { enum: ["a", "b"] }), `f${at}`));
  expect((await send({ ...formatted(person), tools })).error).toBeUndefined();
  expect((await send(formatted(chain(100, (next) => strict(next))))).status).toBe(200);
});
