/** Calls of MiniMax M3, whose arguments are elements in elements. */

import { describe, expect, test } from "vitest";
import { ToolCallReader } from "../../../worker/reply/tool-call-reader.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { minimaxM3 } from "../../../worker/tools/formats/minimax-m3.ts";
import { parameterTypes } from "../../../worker/tools/parameter-types.ts";
import type { ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

const T = "]<]minimax[>[";
const el = (name: string, ...inner: string[]): string => `${T}<${name}>${inner.join("")}${T}</${name}>`;
const call = (...members: string[]): string => `${T}<invoke name="f">${members.join("")}${T}</invoke>`;
const block = (...calls: string[]): string => `${T}<tool_call>\n${calls.join("\n")}\n${T}</tool_call>`;

const parameters = {
  type: "object",
  properties: {
    text: { type: "string" },
    tags: { type: "array", items: { type: "string" } },
    at: { type: "object", properties: { zip: { type: "string" }, hour: { type: "integer" } } },
    tree: { $ref: "#/$defs/node" },
    free: {},
    maybe: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
  },
  $defs: {
    node: {
      type: "object",
      properties: { id: { type: "string" }, next: { type: "array", items: { $ref: "#/$defs/node" } } },
    },
  },
};
const tools: ToolDefinition[] = [{ type: "function", function: { name: "f", parameters } }];
const TYPES = parameterTypes(tools, true);
const read = (text: string) =>
  readCalls([...text], {
    format: minimaxM3.callFormat,
    names: new Set(["f"]),
    typesOf: (name) => TYPES[name]!,
  });

const CASES: [written: string, args: object][] = [
  ["", {}],
  [el("text", " 5\n]<a> ]<b "), { text: " 5\n]<a> ]<b " }],
  [el("text", "]") + el("tags", el("item", "1"), el("item", "]<")), { text: "]", tags: ["1", "]<"] }],
  [el("tags"), { tags: [] }],
  [el("at", el("zip", "75001"), el("hour", "7")), { at: { zip: "75001", hour: 7 } }],
  [
    el("tree", el("id", "1"), el("next", el("item", el("id", "2")))),
    { tree: { id: "1", next: [{ id: "2" }] } },
  ],
  [
    el("free", el("a", "1"), el("b", el("item", "true"), el("item", "x"))),
    { free: { a: 1, b: [true, "x"] } },
  ],
  [el("maybe", el("item", "1")), { maybe: ["1"] }],
];

describe.each(CASES)("%s", (written, args) => {
  test("an empty element is null where its schema takes null, but no text, list or object", () => {
    const either = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) });
    const properties = {
      count: either("integer", "null"),
      counts: { type: "array", items: either("number", "null") },
      note: either("string", "null"),
      at: { anyOf: [{ type: "object", properties: { hour: either("integer", "null") } }, { type: "null" }] },
    };
    const types = parameterTypes(
      [{ type: "function", function: { name: "f", parameters: { type: "object", properties } } }],
      true,
    );
    const members = [
      el("count"),
      el("counts", el("item", "1"), el("item")),
      el("note"),
      el("at", el("hour")),
    ];
    const { calls } = readCalls([...block(call(...members), call(el("at"), el("note", "null")))], {
      format: minimaxM3.callFormat,
      names: new Set(["f"]),
      typesOf: (name) => types[name]!,
    });
    expect(calls.map((one) => JSON.parse(one.arguments))).toEqual([
      { count: null, counts: [1, null], note: "", at: { hour: null } },
      { at: {}, note: null },
    ]);
  });

  test("is read, also where the names that follow are its own", () => {
    const { calls, text } = read(block(call(written), call(written)));
    expect(calls.map((one) => JSON.parse(one.arguments))).toEqual([args, args]);
    expect(text).toBe("");
  });

  test("is what a constraint allows", async () => {
    const checked = checkTools(tools, undefined, "nested");
    if (!checked.ok) throw new Error(checked.message);
    const constraint = constrainCalls(minimaxM3.callSyntax, {
      choice: { mode: "required" },
      tools: checked.tools,
    });
    const engine = await GrammarEngine.load();
    const texts = [block(call(written)), block(call(written), call(written))];
    expect(await engine.judge(constraint!, texts)).toEqual(["match", "match"]);
  });
});

test("a constraint refuses other types, names and elements at every depth", async () => {
  const checked = checkTools(tools, undefined, "nested");
  if (!checked.ok) throw new Error(checked.message);
  const constraint = constrainCalls(minimaxM3.callSyntax, {
    choice: { mode: "required" },
    tools: checked.tools,
  });
  const texts = [
    el("at", el("hour", "x")),
    el("at", el("other", "x")),
    el("tags", "x"),
    el("tags", el("other", "x")),
    el("tree", el("next", el("item", el("id", el("id", "1"))))),
  ].map((written) => block(call(written)));
  const verdicts = await (await GrammarEngine.load()).judge(constraint!, texts);
  expect(verdicts).toEqual(texts.map(() => "no"));
});

test.each<[name: string, text: string, args: string[]]>([
  [
    "closing tags that are left out",
    `${T}<tool_call>\n${T}<invoke name="f">${T}<at>${T}<hour>7${T}</invoke>`,
    ['{"at": {"hour": 7}}'],
  ],
  ["the end of a call that is left out", block(`${T}<invoke name="f">${el("text", "x")}`), ['{"text": "x"}']],
  ["a closing tag of nothing", block(call(`${T}</other>${el("text", "x")}`)), ['{"text": "x"}']],
  ["a space before a tag's name", block(call(el("text", "x").replace("[<", "[ <"))), ['{"text": "x"}']],
  ["repeated elements", block(call(el("free", el("a", "1"), el("a", "2")))), ['{"free": {"a": [1, 2]}}']],
])("%s: read when the model ends", (_, text, args) => {
  expect(read(text).calls.map((one) => one.arguments)).toEqual(args);
});

test("a value that the model broke off is whole, one that a limit cut is not", () => {
  const text = `${T}<tool_call>${T}<invoke name="f">${T}<at>${T}<zip>750`;
  for (const byModel of [true, false]) {
    const reader = new ToolCallReader({
      format: minimaxM3.callFormat,
      mintId: () => "call_1",
      typesOf: () => TYPES.f!,
    });
    const events = [...[...text].flatMap((piece) => reader.push(piece)), ...reader.flush(byModel)];
    const written = events.map((event) => (event.type === "tool-call-delta" ? event.arguments : "")).join("");
    expect(written).toBe(byModel ? '{"at": {"zip": "750"}}' : "{");
  }
});

/** Names that tags do not show as they are; the last one is longer than what is searched for unknown names. */
const ODD = [" c ", "a>b", "a>", "a", "a<b", " d", "item", "invoke", "", "x".repeat(300), "> y".repeat(200)];

test("parameters may have any name, at every depth", () => {
  const properties = Object.fromEntries(ODD.map((name) => [name, { type: "string" }]));
  const parameters = { type: "object", properties: { ...properties, of: { type: "object", properties } } };
  const types = parameterTypes([{ type: "function", function: { name: "f", parameters } }], true);
  for (const name of ODD) {
    const args = { [name]: "1", of: { [name]: "2", a: "3" } };
    const written = minimaxM3.write([{ id: "call_1", name: "f", arguments: JSON.stringify(args) }]);
    for (const pieces of [[...written], [written]]) {
      const { calls } = readCalls(pieces, {
        format: minimaxM3.callFormat,
        names: new Set(["f"]),
        typesOf: (tool) => types[tool]!,
      });
      expect(calls.map((one) => JSON.parse(one.arguments))).toEqual([args]);
    }
  }
});

test("tags of unknown names end at the first bracket", () => {
  const { calls } = read(block(call(el("free", el(" k ", "x>y")))));
  expect(calls[0]?.arguments).toBe('{"free": {"k": "x>y"}}');
  // What is no tag ends the call.
  for (const tag of ["a<b", "", " "])
    expect(read(block(call(el("text", "x") + el(tag, "x")))).calls[0]?.arguments).toBe('{"text": "x"}');
});

test("a value may have a part of the token", () => {
  expect(read(block(call(el("text", "]<]b ]<]minimax")))).calls[0]?.arguments).toBe(
    '{"text": "]<]b ]<]minimax"}',
  );
});

test("another tool, and markers alone, are text", () => {
  const other = block(call("").replace('"f"', '"g"'));
  for (const text of [other, `A ${T} B`, `${T}<tool_call>none`])
    expect(read(text)).toMatchObject({ calls: [], text });
});

test("elements beyond any depth end the call, in linear time", () => {
  const deep = `${T}<a>`.repeat(20_000);
  const { calls } = read(`${T}<tool_call>${T}<invoke name="f">${T}<free>${deep}`);
  expect(calls.length).toBe(1);
  const wide = el("free", el("item", "1").repeat(20_000));
  expect(JSON.parse(read(block(call(wide))).calls[0]!.arguments).free.length).toBe(20_000);
});

test("types of nested values are listed within limits", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`p${at}`, { $ref: "#/$defs/node" }]),
  );
  const wide = { type: "object", properties, $defs: { node: { type: "object", properties } } };
  const [types] = Object.values(
    parameterTypes([{ type: "function", function: { name: "f", parameters: wide } }], true),
  );
  expect(Object.keys(types!).length).toBe(1_000);
});

test("members that many references lead to are counted", () => {
  const members = { a: { type: "integer" }, b: { type: "object", properties: { c: { type: "boolean" } } } };
  let reads = 0;
  const node = {
    get properties() {
      reads++;
      return members;
    },
  };
  const anyOf = Array.from({ length: 5_000 }, () => ({ $ref: "#/$defs/node" }));
  const parameters = { type: "object", anyOf, $defs: { node } };
  const types = parameterTypes([{ type: "function", function: { name: "f", parameters } }], true);
  expect(types).toEqual({ f: { a: "integer", b: "object", "b\0c": "boolean" } });
  expect(reads).toBe(1);
});
