/** Property names of `Object.prototype` are ordinary names in requests: no crash, no prototype pollution. */

import { afterEach, expect, test } from "vitest";
import { preTokenizerOf } from "../../worker/engines/llamacpp/tokenizer/pre-tokenizers.ts";
import { Compilation } from "../../worker/json-schema/compilation.ts";
import { compileSchema } from "../../worker/json-schema/json-schema.ts";
import { unwrap, World } from "../ledger/support/world.ts";
import { fc } from "../support/random.ts";
import { testApp } from "../support/test-app.ts";

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const before = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));
const name = fc.constantFrom(...NAMES);

afterEach(() => {
  expect(JSON.stringify(Reflect.ownKeys(Object.prototype).map(String))).toBe(before);
  expect({}).not.toHaveProperty("polluted");
});

/** JSON as text, because an object literal would set `__proto__` instead of defining a property. */
const pair = (key: string, value: unknown): string => `{${JSON.stringify(key)}:${JSON.stringify(value)}}`;

/** A schema, as text, with the names in every position that takes a name. */
function schemaOf(one: string, other: string): string {
  const leaf = `{"type":"string"}`;
  const object = `{"type":"object","properties":{${JSON.stringify(one)}:${leaf}},"required":[${JSON.stringify(one)}]}`;
  return `{"type":"object","properties":{${JSON.stringify(one)}:${leaf},${JSON.stringify(`${other}2`)}:{"$ref":"#/$defs/${other}"}},
    "allOf":[${object},{"properties":{${JSON.stringify(one)}:{"minLength":1}}}],
    "$defs":{${JSON.stringify(other)}:${object}}}`;
}

test("in schemas, tools, metadata, biases and the names of models", async () => {
  const { app, apiKey } = await testApp({ reply: () => ["{}"] });
  const send = (path: string, body: string) =>
    app.fetch(
      new Request(`https://app.test${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body,
      }),
    );
  await fc.assert(
    fc.asyncProperty(name, name, async (one, other) => {
      const head = `"model":"infetch-tiny","messages":[{"role":"user","content":"go"}]`;
      const schema = schemaOf(one, other);
      const bodies: [path: string, body: string][] = [
        [
          "/v1/chat/completions",
          `{${head},"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}}`,
        ],
        [
          "/v1/chat/completions",
          `{${head},"tools":[{"type":"function","function":{"name":${JSON.stringify(one)},"parameters":${schema}}}]}`,
        ],
        [
          "/v1/chat/completions",
          `{${head},"tool_choice":{"type":"function","function":{"name":${JSON.stringify(one)}}}}`,
        ],
        ["/v1/chat/completions", `{${head},"metadata":${pair(one, "x")},"logit_bias":${pair(other, 1)}}`],
        ["/v1/chat/completions", `{${head},${pair(one, { polluted: true }).slice(1)}`],
        ["/v1/chat/completions", `{"model":${JSON.stringify(one)},"messages":[]}`],
        [
          "/v1/responses",
          `{"model":"infetch-tiny","input":"go","store":false,"text":{"format":{"type":"json_schema","name":"a","schema":${schema}}}}`,
        ],
        ["/v1/embeddings", `{"model":${JSON.stringify(one)},"input":"a"}`],
        [`/v1/${one}`, "{}"],
      ];
      for (const [path, body] of bodies) {
        const response = await send(path, body);
        expect([200, 400, 403, 404, 405], `${path} ${body}: ${await response.clone().text()}`).toContain(
          response.status,
        );
      }
      const asked = new Request(`https://app.test/v1/models/${one}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect((await app.fetch(asked)).status).toBe(404);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["/v1/chat/completions", "metadata", "x"],
  ["/v1/chat/completions", "logit_bias", 1],
  ["/v1/completions", "logit_bias", 1],
  ["/v1/responses", "metadata", "x"],
])("a key that would be lost is refused: %s, %s", async (path, field, value) => {
  const { app, apiKey } = await testApp({ reply: () => ["ok"] });
  const send = (key: string) =>
    app.fetch(
      new Request(`https://app.test${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: `{"model":"infetch-tiny","messages":[{"role":"user","content":"go"}],"prompt":"go","input":"go","${field}":${pair(key, value)}}`,
      }),
    );
  const refused = await send("__proto__");
  expect(refused.status).toBe(400);
  expect((await refused.json()).error).toMatchObject({
    param: field,
    code: "invalid_value",
    message: `Invalid '${field}': no key may be called '__proto__'.`,
  });
});

test("in what models bring along", () => {
  for (const one of NAMES) {
    expect(typeof preTokenizerOf(one)).toBe(typeof preTokenizerOf("llama3"));
    expect(String(preTokenizerOf(one))).toBe(String(preTokenizerOf("nobody's")));
  }
});

test("as methods: they are none of a path's, and the answer says which are", async () => {
  const { app, apiKey } = await testApp({ reply: () => ["{}"] });
  for (const [path, allow] of [
    ["/v1/models", "GET, HEAD"],
    ["/v1/chat/completions", "POST"],
    ["/v1/files/file-1", "GET, HEAD, DELETE"],
  ] as const) {
    for (const method of [...NAMES, "get", "BREW"].filter((one) => path === "/v1/models" || one !== "get")) {
      const response = await app.fetch(
        new Request(`https://app.test${path}`, { method, headers: { authorization: `Bearer ${apiKey}` } }),
      );
      // Fetch normalizes `get` to upper case, as it does other known methods.
      if (method === "get") expect(response.status).toBe(200);
      else {
        expect([response.status, response.headers.get("allow")], `${method} ${path}`).toEqual([405, allow]);
        expect((await response.json()).error.code).toBe("method_not_allowed");
      }
    }
  }
});

test("as properties that only one of several joined schemas declares", () => {
  for (const one of NAMES) {
    const joined = `{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}},{"properties":${pair(one, { type: "integer" })},"required":["a",${JSON.stringify(one)}]}]}`;
    const result = compileSchema(JSON.parse(joined), {}, new Compilation());
    expect(result, one).toMatchObject({ ok: true });
    // The object has both members, the second after the first.
    expect((result as { grammar: string }).grammar, one).toContain(`\\"${one}\\"`);
  }
});

test("as keywords of joined schemas that nobody knows: what else their schema says holds", () => {
  for (const one of NAMES) {
    const joined = `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}},"required":["b"],${pair(one, 1).slice(1)}]}`;
    const result = compileSchema(JSON.parse(joined), { unsupported: "ignore" }, new Compilation());
    expect((result as { grammar: string }).grammar, one).toContain(String.raw`\"b\"`);
  }
});

test("in what a page asks of its ledger", async () => {
  const tab = await new World().openTab();
  for (const one of NAMES) {
    const at = { effectiveAt: "2026-01-01T00:00:00Z", price: "1", model: "m" };
    const refused = [
      tab.rpc.exportUsage({ format: "csv", windowSize: one as never }),
      tab.rpc.exportUsage({ format: one as never }),
      tab.rpc.scheduleRate({ ...at, product: one as never }),
      tab.rpc.scheduleRate({ ...at, product: "text-input-tokens", tier: one as never }),
    ];
    for (const answer of await Promise.all(refused))
      expect(answer, one).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
    expect(unwrap(await tab.rpc.usage({ account: one }))).toEqual([]);
    expect(unwrap(await tab.rpc.verify({ account: one })).ok).toBe(true);
    expect(await tab.rpc.voidInvoice(`inv_202501_0_${one}`)).toMatchObject({
      error: { code: "invoice_not_found" },
    });
  }
});
