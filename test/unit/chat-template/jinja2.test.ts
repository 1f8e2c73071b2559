/** Expressions mean what they mean in Jinja2; `test/fixtures/chat-templates/expressions.py` wrote the texts. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { BoundedTemplate } from "../../../worker/chat-template/bounded-template.ts";
import { strftime } from "../../../worker/chat-template/jinja/text/strftime.ts";
import { JsonNumber } from "../../../worker/chat-template/json-object.ts";

const file = resolve(import.meta.dirname, "../../fixtures/chat-templates/expressions.json");
const { context, cases } = JSON.parse(readFileSync(file, "utf8")) as {
  context: Record<string, unknown>;
  cases: { source: string; text: string }[];
};

test.each(cases)("$source", ({ source, text }) => {
  expect(new BoundedTemplate(source).render(structuredClone(context))).toBe(text);
});

test.each([
  ["%Y-%m-%d", "2026-03-05"],
  ["%d %b %Y", "05 Mar 2026"],
  ["%A, %B %-d, %Y", "Thursday, March 5, 2026"],
  ["%e %y %j %U %W %w %u", " 5 26 064 09 09 4 4"],
  ["%H:%M:%S %I %p %T %R %F %D", "07:08:09 07 AM 07:08:09 07:08 2026-03-05 03/05/26"],
  ["%% %q %-m %-I", "% %q 3 7"],
])("strftime %s", (format, text) => {
  expect(strftime(format, new Date(2026, 2, 5, 7, 8, 9))).toBe(text);
});

test.each([
  ["a repeated text", "{{ 'x' * 10000000000 }}"],
  ["a repeated list", "{{ [1] * 10000000000 }}"],
  ["a width", "{{ '%99999999999d' % 1 }}"],
  ["a width of format", "{{ '{:>99999999999}'.format(1) }}"],
  ["padding", "{{ 'x'.ljust(99999999999) }}"],
  ["zeros", "{{ '1'.zfill(99999999999) }}"],
  ["centering", "{{ 'x' | center(99999999999) }}"],
  ["an indent", "{{ 'x\ny' | indent(99999999999) }}"],
  ["an indent of JSON", "{{ [[1]] | tojson(indent=99999999999) }}"],
  ["slices", "{{ [1] | slice(99999999999) | list }}"],
  ["a filled batch", "{{ [1] | batch(99999999999, 0) | list }}"],
  ["wrapped lines", "{{ ('x ' * 1000) | wordwrap(1, true, 'y' * 1000) }}"],
  ["pretty lines", "{{ {'k' * 100000: ['x' * 90, 'y' * 90]} | pprint }}"],
  ["joined texts", "{{ ('x' * 100000).join('y' * 100) }}"],
  ["replaced texts", "{{ ('x' * 100000).replace('x', 'y' * 100) }}"],
  ["added texts", "{% set n = namespace(a='x' * 150000) %}{{ n.a ~ n.a }}"],
])("%s: too long before it is made", (_, source) => {
  expect(() => new BoundedTemplate(source).render({})).toThrow(/longer than/);
});

test("comparing nested lists costs steps", () => {
  const nested = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1));
  const source =
    "{% for i in range(1000) %}{% for j in range(1000) %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}";
  const render = () => new BoundedTemplate(source).render({ a: nested, b: structuredClone(nested) });
  expect(render).toThrow(/more than 100000 steps/);
});

test.each([
  ["dict.fromkeys of a text", "{% set a = 'x' * 190000 %}", "dict.fromkeys(a)"],
  ["dict of pairs with one key", "{% set a = [('k', 1)] * 40000 %}", "dict(a)"],
])("%s costs steps, however small the mapping is", (_, before, call) => {
  const source = `${before}{% for i in range(1000) %}{% if ${call} %}{% endif %}{% endfor %}`;
  expect(() => new BoundedTemplate(source).render({})).toThrow(/more than 100000 steps/);
});

test("line ends of Windows are those of any other system", () => {
  const source = "a\r\nb{% if t %}\r\nc{% endif %}\r\nd\r\n";
  expect(new BoundedTemplate(source).render({ t: true })).toBe("a\nbcd");
});

test.each([
  [
    "texts in a list, read again and again",
    "{% set l = ['a' * 190000] %}{% for i in range(5000) %}{% if l|map('length') %}{% endif %}{% endfor %}",
  ],
  [
    "a method called again and again",
    "{% set f = ('ab' * 95000).count %}{% for i in range(9000) %}{% if f('a') %}{% endif %}{% endfor %}",
  ],
  [
    "batches again and again",
    "{% for i in range(300) %}{% if [1]|batch(190000, 1)|list|tojson %}{% endif %}{% endfor %}",
  ],
  ["a search from the end", "{{ ('a' * 190000).rfind('a' * 95000 ~ 'b') }}"],
  ["parts from the end", "{{ ('a' * 190000).rpartition('a' * 95000 ~ 'b') }}"],
  [
    "a search in a list for each element",
    "{% set a = range(12000) %}{{ a|reject('in', a|map('string')|list)|list|length }}",
  ],
  ["attributes to sort by", "{{ range(3000)|sort(attribute=',' * 90000)|length }}"],
  ["a sum of lists", "{{ range(9000)|map('string')|batch(1)|sum(start=[])|length }}"],
  ["groups", "{{ range(9000)|map('string')|batch(1)|list|groupby('0')|length }}"],
  [
    "characters by their position",
    "{% set t = 'x' * 190000 %}{% for i in range(9000) %}{% if t[i] %}{% endif %}{% endfor %}",
  ],
  [
    "the case of a text",
    "{% set t = 'x' * 190000 %}{% for i in range(50) %}{% if t is lower %}{% endif %}{% endfor %}",
  ],
  [
    "the case of attributes",
    "{% set l = [{'t': 'x' * 190000}] %}{% for i in range(50) %}{% if l|selectattr('t', 'upper') %}{% endif %}{% endfor %}",
  ],
  ["attributes of characters", "{{ ('x' * 190000)|selectattr('y')|list|length }}"],
  ["the largest character", "{{ ('x' * 190000)|max }}"],
  ...["t|title", "t.title()"].map((titled) => [
    `words with capitals, ${titled}`,
    `{% set t = 'a ' * 60000 %}{% for i in range(2) %}{% if ${titled} %}{% endif %}{% endfor %}`,
  ]),
  ["words longer than their line", "{{ ('x' * 190000) | wordwrap(1) }}"],
  [
    "words on lines",
    "{% set t = 'x ' * 90000 %}{% for i in range(5) %}{% if t | wordwrap %}{% endif %}{% endfor %}",
  ],
  [
    "pretty lists",
    "{% set l = range(9000) | list %}{% for i in range(9) %}{% if l | pprint %}{% endif %}{% endfor %}",
  ],
  ["letters of the other case", "{{ ('x' * 190000).swapcase()|length }}"],
])("%s: too many steps", (_, source) => {
  expect(() => new BoundedTemplate(source).render({})).toThrow(/more than 100000 steps/);
});

test.each([
  ["long keys", "{{ ([{'a' * 190000: 1}] * 8000)|tojson|length }}", /longer than/],
  ["a long path", "{% set p = 'a.' * 90000 %}{{ range(3000)|map(attribute=p)|list|length }}", /parts/],
  ["a format without a field", "{{ ('%' ~ '0' * 40000) % 1 }}", undefined],
  ["a field that is no format", "{{ ('{:' ~ '0' * 40000 ~ 'é}').format(1) }}", /is not supported/],
  ["digits that are no number", "{{ ('1' * 60000 ~ 'x')|int }}", undefined],
  ["tags that do not end", "{{ ('<' * 60000)|striptags|length }}", undefined],
])("%s: read in one pass", (_, source, error) => {
  const render = () => new BoundedTemplate(source).render({});
  if (error) expect(render).toThrow(error);
  else expect(render().length).toBeLessThan(60_000);
});

// To look for each group from the beginning would take three minutes.
test("groups of digits are cut in one pass", () => {
  const n = new JsonNumber("9".repeat(140_000));
  const template = new BoundedTemplate("{{ '{:,}'.format(n) }}");
  for (let run = 0; run < 10; run++) expect(template.render({ n })).toHaveLength(186_666);
});

test("reading many digits costs steps, however few are written", () => {
  const n = new JsonNumber("9".repeat(190_000));
  const source = (format: string): string =>
    `{% for i in range(5000) %}{% if '${format}' % n %}{% endif %}{% endfor %}`;
  expect(() => new BoundedTemplate(source("%e")).render({ n })).toThrow(/more than 100000 steps/);
  expect(() => new BoundedTemplate(source("%.9999g")).render({ n: 1.5 })).toThrow(/more than 100000 steps/);
});

test.each([
  "{{ x ~ '' }}",
  "{{ x | upper }}",
  "{{ [x].count(y) }}",
  "{{ [x, y] | max }}",
  "{{ [{'k': x}, {'k': y}] | groupby('k') }}",
  "{{ [{'k': x}, {'k': y}] | sort(attribute='k') }}",
  "{{ '%s' % x }}",
  "{{ '{}'.format(x) }}",
  "{% for z in [x, y] %}{{ loop.changed(z) }}{% endfor %}",
])("a value twice within each of 40 values is too long before it is read: %s", (source) => {
  const doubled = (name: string, twice: string): string =>
    `{% set n = namespace(v=[1]) %}{% for i in range(40) %}{% set n.v = ${twice} %}{% endfor %}{% set ${name} = n.v %}`;
  for (const twice of ["[n.v, n.v]", "{'a': n.v, 'b': n.v}", "(n.v, n.v)", "dict(a=n.v, b=n.v)"]) {
    const template = new BoundedTemplate(doubled("x", twice) + doubled("y", twice) + source);
    expect(() => template.render({})).toThrow(/longer than/);
  }
});

test.each([
  "[x].count(y)",
  "[x].index(y)",
  "[x, y] | max",
  "[x, y] | sort",
  "[{'k': x}, {'k': y}] | groupby('k')",
  "'a' | replace(x, 'b')",
  "x | truncate(1)",
  "'%.1s' % x",
  "'{a}'.format(a=x)",
  "'a'.startswith([x])",
])("%s: comparing or writing long values costs steps", (expression) => {
  const source =
    "{% set x = [[[1] * 200] * 200] %}{% set y = [[[1] * 200] * 200] %}{% for i in range(200) %}{% if " +
    `${expression} %}{% endif %}{% endfor %}`;
  expect(() => new BoundedTemplate(source).render({})).toThrow(/more than 100000 steps/);
});

test.each([
  [
    "a list that grows, measured again and again",
    "{% set l = range(3000) | list %}{% for i in range(50) %}{% if l.append(i) or [l] %}{% endif %}{% endfor %}",
  ],
  [
    "a small list that changes beside a long one",
    "{% set l = range(3000) | list %}{% set m = [] %}{% for i in range(50) %}{% if m.append(i) or {'l': l} %}{% endif %}{% endfor %}",
  ],
  [
    "a list without its first element",
    "{% set l = range(3000) | list %}{% for i in range(50) %}{% if l.pop(0) %}{% endif %}{% endfor %}",
  ],
  [
    "a mapping that gets the same entries",
    "{% set m = {} %}{% set l = range(3000) | list %}{% for i in range(50) %}{% if m.update(a=l) %}{% endif %}{% endfor %}",
  ],
])("%s: changes cost steps", (_, source) => {
  expect(() => new BoundedTemplate(source).render({})).toThrow(/more than 100000 steps/);
});

test.each([
  "{% set l = ['x' * 100000] %}{% set m = [l] %}{% if m | length and l.append('x' * 100000) %}{% endif %}{{ m }}",
  "{% set l = [] %}{% for i in range(3) %}{% set _ = l.extend(range(90000)) %}{% endfor %}",
  ...["m | string", "raise_exception(m)"].map(
    (use) =>
      "{% set l = [] %}{% set m = [l] %}{% for i in range(13) %}{% set _ = m.extend(m) %}{% endfor %}" +
      `{% set _ = l.append('x' * 100000) %}{{ ${use} }}`,
  ),
])("a list that has become too long is an error: %s", (source) => {
  expect(() => new BoundedTemplate(source).render({}, { steps: 10_000_000, length: 190_000 })).toThrow(
    /longer than/,
  );
});

test.each([
  "{% set l = [1] %}{{ l.append(l) }}",
  "{% set l = [1] %}{% set m = {'l': [l]} %}{{ l.insert(0, m) }}",
  "{% set m = {} %}{{ m.update(a=[m]) }}",
  "{% set m = {} %}{{ m.setdefault('a', (m, 1)) }}",
])("a list or a mapping within itself is an error: %s", (source) => {
  expect(() => new BoundedTemplate(source).render({})).toThrow("cannot be within itself");
});

test.each(["{{ [].pop() }}", "{{ [1].pop(1) }}", "{{ {'a': 1}.pop('b') }}"])(
  "%s finds nothing, as in Python",
  (source) => {
    expect(() => new BoundedTemplate(source).render({})).toThrow("pop() finds no");
  },
);

test("a change of what a template is given is none of the next rendering", () => {
  const template = new BoundedTemplate("{% set _ = l.append(d.pop('k')) %}{{ l }}{{ d }}");
  const given = { l: [1], d: { k: 2 } };
  for (let run = 0; run < 2; run++) expect(template.render(given)).toBe("[1, 2]{}");
});

test("a cycler counts with all of its values, whichever is the current one", () => {
  const source =
    "{% set c = cycler('', 'x' * 150000) %}{% set l = [c, c] %}{% if c.next() or true %}{{ l | string | length }}{% endif %}";
  expect(() => new BoundedTemplate(source).render({})).toThrow(/longer than/);
});

test("namespaces may be within lists and other namespaces", () => {
  const source =
    "{% set n = namespace(a=namespace(b=1)) %}{% set l = [n.a] %}{% set n.a.b = 2 %}{{ l[0].b }}";
  expect(new BoundedTemplate(source).render({})).toBe("2");
});

test("a loop that calls itself without end is an error, not an overflow", () => {
  const source = "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}";
  expect(() => new BoundedTemplate(source).render({})).toThrow("it is nested too deeply");
});

test("a source of white space is refused before it is searched for tags", () => {
  expect(() => new BoundedTemplate(`${" ".repeat(60_000)}x`)).toThrow(/in a row/);
});

test.each([
  ["RangeError", "Maximum call stack size exceeded"],
  ["RangeError", "Maximum call stack size exceeded."],
  ["InternalError", "too much recursion"],
])("an overflow of the stack in another engine is nesting, too: %s: %s", (name, message) => {
  expect(() => render(name, message)).toThrow(/^it is nested too deeply$/);
});

test.each([
  ["RangeError", "Invalid string length"],
  ["InternalError", "allocation size overflow"],
])("another limit of an engine is reported as it is: %s: %s", (name, message) => {
  expect(() => render(name, message)).toThrow(message);
});

test("a number that is no character is reported as such", () => {
  expect(() => new BoundedTemplate("{{ '%c' % -1 }}").render({})).toThrow(/code point/);
});

/** A template whose data throws an engine's error. */
function render(name: string, message: string): string {
  const data = {
    get a(): never {
      throw Object.assign(new Error(message), { name });
    },
  };
  return new BoundedTemplate("").render({ data });
}

test.each([
  "{{ {'a': 1, 1: 2} | tojson(sort_keys=true) }}",
  "{{ {none: 1, 1: 2} | tojson(sort_keys=true) }}",
])("keys that have no order in Python are refused: %s", (source) => {
  expect(() => new BoundedTemplate(source).render({})).toThrow("have no order");
});
