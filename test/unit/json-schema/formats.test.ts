/** What may be generated for a `format`, alone and with a maximum length, for which fewer are possible. */

import { expect, test } from "vitest";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

async function generated(schema: object, texts: readonly string[]): Promise<string[]> {
  const check = checkSchema({ type: "string", ...schema });
  if (!check.ok) throw new Error(check.message);
  const engine = await GrammarEngine.load();
  const quoted = texts.map((one) => JSON.stringify(one));
  const verdicts = await engine.judge({ type: "grammar", ebnf: schemaGrammar(check.schema) }, quoted);
  return texts.filter((_, at) => verdicts[at] === "match");
}

const PLAIN = [
  "https://example.com",
  "http://localhost:8080/a/b.html?c=d&e=/f#g",
  "https://a.example?b",
  "urn:isbn:0451450523",
  "mailto:a@b.example",
  "file:/a/b",
];
const RARER = [
  "https://pt.wikipedia.org/wiki/S%C3%A3o_Paulo#Hist%C3%B3ria",
  "ftp://user:pass@host.example/",
  "file:///a",
];
const NO_URIS = [
  "",
  "example.com",
  "/a",
  "//a.example",
  "a:",
  "1a:b",
  "http://a.example/b c",
  "http://a#b#c",
  "http://a/%",
  "http://a/%zz",
  "http://[1]/",
  "http://a/é",
];
const NO_HOSTS = ["http://a:b:c", "http://a:b", "http://a@b@c"];

test("uri", async () => {
  expect(await generated({ format: "uri" }, [...PLAIN, ...RARER, ...NO_URIS, ...NO_HOSTS])).toEqual([
    ...PLAIN,
    ...RARER,
  ]);
  const limited = { format: "uri", minLength: 1, maxLength: 2083 };
  expect(await generated(limited, [...PLAIN, ...NO_URIS])).toEqual(PLAIN);
});

test("a thousand URIs are within the budget of a request", () => {
  const names = Array.from({ length: 1000 }, (_, at) => `p${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", format: "uri" }]));
  expect(checkSchema({ type: "object", properties })).toMatchObject({ ok: true });
});

test("ipv6", async () => {
  const addresses = [
    "::",
    "::1",
    "1::",
    "fe80::1ff:fe23:4567:890a",
    "2001:db8::7",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1::3:4:5:6:7:8",
    "1:2:3:4:5:6::8",
  ];
  const others = [
    "",
    ":",
    "1",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4::5:6:7:8",
    "12345::",
    "g::",
    "1:",
    ":1",
  ];
  const texts = [...addresses, ...others];
  expect(await generated({ format: "ipv6" }, texts)).toEqual(addresses);
  const [whole] = addresses.filter((one) => !one.includes("::"));
  expect(await generated({ format: "ipv6", maxLength: 39 }, texts)).toEqual([whole]);
});
