/** Values of the package's interpreter, whose classes it does not export. */

import { Environment, Interpreter } from "@huggingface/jinja";

export interface Value {
  type: string;
  value: unknown;
  /** The digits of an integer that JavaScript rounds. */
  digits?: string;
  /** Attributes by name: a tuple's elements, or the entries of an {@link objectOf}. */
  fields?: ReadonlyMap<string, Value>;
  /** Whether Python takes it as true. */
  __bool__(): { value: boolean };
}
/** A key of a mapping; JSON has texts only, a template's own mappings numbers, booleans and `none` too. */
export type Key = string | number | boolean | null;
export type Scope = Environment;
export type Call = (args: Value[], scope: Scope) => Value;

interface Typed<T> extends Value {
  value: T;
}
type Class<T> = new (value: T) => Value;

const scope = new Environment();
const interpreter = new Interpreter(scope);

function classOf<T>(type: string, value: unknown): Class<T> {
  const literal = { type, value } as unknown as Parameters<Interpreter["evaluate"]>[0];
  return interpreter.evaluate(literal, scope).constructor as Class<T>;
}

/**
 * Makes values of a class without its constructor: it defines fields twice, which is slow, and templates make many
 * values.
 */
function makerOf<T>(
  type: string,
  { prototype }: Class<T>,
  isTrue: (value: T) => boolean,
): (value: T) => Typed<T> {
  function Made(this: Typed<T>, value: T): void {
    this.type = type;
    this.value = value;
  }
  const truth = function (this: Typed<T>): Value {
    return boolean(isTrue(this.value));
  };
  Made.prototype = Object.create(prototype, { __bool__: { value: truth, writable: true } });
  return (value) => new (Made as unknown as Class<T>)(value) as Typed<T>;
}

const TupleValue = classOf<Value[]>("TupleLiteral", []);
const ObjectValue = classOf<Map<Key, Value>>("ObjectLiteral", new Map());
const BooleanValue = scope.set("boolean", true).constructor as Class<boolean>;
const FunctionValue = scope.set("function", () => null).constructor as Class<Call>;
const makeBoolean = makerOf<boolean>("BooleanValue", BooleanValue, (value) => value);
const [TRUE, FALSE] = [makeBoolean(true), makeBoolean(false)];
export const NONE: Value = scope.set("null", null);
export const UNDEFINED: Value = scope.set("undefined", undefined);

export const boolean = (value: boolean): Value => (value ? TRUE : FALSE);
export const text: (value: string) => Value = makerOf(
  "StringValue",
  classOf<string>("StringLiteral", ""),
  (value) => value !== "",
);
export const integer: (value: number) => Value = makerOf(
  "IntegerValue",
  classOf<number>("IntegerLiteral", 0),
  (value) => value !== 0,
);
/** An integer that is written with its own digits, however many, and compared and calculated as a number. */
export function exactInteger(digits: string): Value {
  const made = integer(Number(digits));
  if (!Number.isSafeInteger(made.value)) made.digits = digits;
  return made;
}
export const float: (value: number) => Value = makerOf(
  "FloatValue",
  classOf<number>("FloatLiteral", 0),
  // Also true of what is not a number.
  (value) => value !== 0,
);
export const list: (value: Value[]) => Value = makerOf(
  "ArrayValue",
  classOf<Value[]>("ArrayLiteral", []),
  (value) => value.length > 0,
);
export const mapping = (value: Map<Key, Value>): Value => new ObjectValue(value);
/** An object of Python, a mapping here: its entries are attributes, and it has no methods of a mapping. */
export const objectOf = (fields: Map<string, Value>): Value => Object.assign(mapping(fields), { fields });
export const callable: (value: Call) => Value = makerOf("FunctionValue", FunctionValue, () => true);

/** A scope within another, without the package's globals, which the outermost one has. */
export function innerScope(parent: Scope): Scope {
  const inner = Object.create(Environment.prototype) as Scope;
  return Object.assign(inner, { parent, variables: new Map() });
}

/** The value of a variable; undefined in templates if no scope around has it. */
export function variableOf(name: string, from: Scope): Value {
  for (let at: Scope | undefined = from; at; at = at.parent) {
    const found = at.variables.get(name);
    if (found) return found as unknown as Value;
  }
  return UNDEFINED;
}

/** What a filter yields one by one in Python: true even without elements. */
export function generator(value: Value[]): Value {
  const made = list(value);
  made.__bool__ = () => boolean(true) as unknown as { value: boolean };
  return made;
}

/** The entries of a mapping, as its `items()` gives them. */
export function pairsOf(entries: ReadonlyMap<Key, Value>): Value[] {
  return [...entries].map(([key, value]) => tuple([fromKey(key), value]));
}

export function fromKey(key: Key): Value {
  switch (typeof key) {
    case "string":
      return text(key);
    case "number":
      return (Number.isInteger(key) ? integer : float)(key);
    case "boolean":
      return boolean(key);
    default:
      return NONE;
  }
}

export function valueAt(entries: ReadonlyMap<Key, Value>, key: Value | undefined): Value | undefined {
  const known = keyOf(key);
  if (known === undefined) return undefined;
  return entries.get(known) ?? entries.get(twinOf(known));
}

/** The equal key that a mapping has, or this one. */
export function keyIn(entries: ReadonlyMap<Key, Value>, key: Key): Key {
  const twin = twinOf(key);
  return entries.has(twin) && !entries.has(key) ? twin : key;
}

/** In Python `true` is 1 and `false` 0. */
function twinOf(key: Key): Key {
  if (typeof key === "boolean") return Number(key);
  return key === 0 || key === 1 ? key === 1 : key;
}

/** Undefined for what is no key of a mapping. */
export function keyOf(value: Value | undefined): Key | undefined {
  if (isNone(value)) return null;
  return isText(value) || isNumber(value) ? value.value : undefined;
}

/** A tuple, which the package unpacks only if it passes for a list. */
export function tuple(value: Value[]): Value {
  const made = new TupleValue(value);
  made.type = "ArrayValue";
  return made;
}

/** A tuple whose elements are attributes too. */
export function namedTuple(fields: readonly (readonly [name: string, value: Value])[]): Value {
  return Object.assign(tuple(fields.map(([, value]) => value)), { fields: new Map(fields) });
}

export const isText = (value: Value | undefined): value is Typed<string> => value?.type === "StringValue";
export const isList = (value: Value | undefined): value is Typed<Value[]> =>
  value?.type === "ArrayValue" || value?.type === "TupleValue";
export const isTuple = (value: Value): boolean => value instanceof TupleValue;
export const isMapping = (value: Value | undefined): value is Typed<Map<Key, Value>> =>
  value?.type === "ObjectValue" || value?.type === "KeywordArgumentsValue";
/** Mappings and namespaces. */
export const hasAttributes = (value: Value | undefined): value is Typed<Map<Key, Value>> =>
  isMapping(value) || value?.type === "NamespaceValue";
export const isCallable = (value: Value | undefined): value is Typed<Call> => value?.type === "FunctionValue";
export const isBoolean = (value: Value | undefined): value is Typed<boolean> =>
  value?.type === "BooleanValue";
export const isInteger = (value: Value | undefined): value is Typed<number> => value?.type === "IntegerValue";
export const isFloat = (value: Value | undefined): value is Typed<number> => value?.type === "FloatValue";
/** Python's booleans are numbers. */
export const isNumber = (value: Value | undefined): value is Typed<number | boolean> =>
  isInteger(value) || isFloat(value) || isBoolean(value);
export const isUndefined = (value: Value | undefined): boolean =>
  value === undefined || value.type === "UndefinedValue";
export const isNone = (value: Value | undefined): boolean => value?.type === "NullValue";
export const isTrue = (value: Value): boolean => value.__bool__().value;

/** Positional arguments and those with a name. */
export interface Arguments {
  given: Value[];
  named: ReadonlyMap<string, Value>;
}

/** Arguments as the package passes them to functions: named ones last, as one value. */
export function argumentsOf(args: readonly Value[]): Arguments {
  const last = args.at(-1);
  return last?.type === "KeywordArgumentsValue" && isMapping(last)
    ? { given: args.slice(0, -1), named: last.value as Map<string, Value> }
    : { given: [...args], named: new Map() };
}

/** An argument by its position or name; undefined if it is left out. */
export function argument({ given, named }: Arguments, at: number, name: string): Value | undefined {
  return given[at] ?? named.get(name);
}

/** The elements that a loop over the value has. @throws {Error} for what is not iterable */
export function elementsOf(value: Value): Value[] {
  if (isList(value)) return value.value;
  if (isText(value)) return Array.from(value.value, text);
  if (hasAttributes(value)) return [...value.value.keys()].map(fromKey);
  if (isUndefined(value)) return [];
  throw new Error(`a ${value.type} is not iterable`);
}

/** Steps of a path that a filter follows. */
const MAX_PATH = 100;

/** `a.b.0` of a value, as filters take attributes. @throws {Error} for a path of more than {@link MAX_PATH} parts */
export function attributeOf(value: Value, path: Value): Value {
  let found: Value | undefined = value;
  const parts = String(path.value).split(".", MAX_PATH + 1);
  if (parts.length > MAX_PATH) throw new Error(`an attribute has more than ${MAX_PATH} parts`);
  for (const part of parts) {
    if (hasAttributes(found)) found = found.value.get(part);
    else if (isList(found))
      found = /^-?\d+$/.test(part) ? found.value.at(Number(part)) : found.fields?.get(part);
    else return UNDEFINED;
  }
  return found ?? UNDEFINED;
}
