/** The text around the name and the arguments of a call. */
export interface NamedSyntax {
  /** Before the name, after the opening marker; may be empty. Models may leave it out. */
  before: string;
  /** Marker of the name, where an id comes before it. @default the name comes first */
  name?: string;
  /** Marker of the call's id, which may follow the name. @default calls have no ids */
  id?: string;
  /** Between the name and the arguments. */
  between: string;
  /** Behind the arguments; may be empty. */
  after: string;
}

/** The tags of a call whose arguments are elements. */
export interface XmlSyntax {
  /**
   * Around the name of the call, which a quote may end before more attributes; where `after` is empty, an argument or the
   * end of the call follows the name. `isDoubled`: it may be a namespace of itself, `f.f`.
   */
  call: { before: string; after: string; isDoubled?: boolean };
  /**
   * Around the name of an argument. `value` begins its value. @default `after` does
   *
   * `types`: attributes before `value`, which say that the value is text, or is not. @default none
   */
  member: { before: string; after: string; value?: string; types?: { text: string; other: string } };
  memberEnd: string;
  /** Tags that may stand around all arguments. @default none */
  around?: readonly string[];
  /** Empty if the closing marker alone ends the call. */
  end: string;
  /** Whether each value is on lines of its own; else line breaks around it are its own. */
  isOnLines: boolean;
  /** Whether values follow the rules of XML: `&amp;`, `<![CDATA[…]]>`. */
  isEscaped: boolean;
}

/** Keys of a call's object beyond the usual ones. */
export interface CallKeys {
  name: string;
  arguments: string;
  /** Others, whose values are not read. */
  others: readonly string[];
}

/** How the calls of a block are written. */
type CallBody =
  /** `{"name": …, "arguments": {…}}`, or a list of these, with `keys` also in use; where calls are keyed, `{"f": {…}}`. */
  | { kind: "json"; isKeyed?: true; keys?: CallKeys }
  /** `<function=name><parameter=key>value</parameter></function>` */
  | { kind: "xml"; syntax: XmlSyntax }
  /** `[f(key="value")]` */
  | { kind: "python" }
  /** Either: what begins with a brace is JSON. */
  | { kind: "json-or-python" }
  /** A name and a JSON object. */
  | { kind: "named"; syntax: NamedSyntax }
  /** `call:f{key:<escape>value<escape>}`; `quote` is the token on both sides of a text. */
  | { kind: "escaped"; quote: string }
  /** `<invoke name="f"><key>value</key></invoke>`, with elements in elements; `token` is before each tag. */
  | { kind: "nested"; token: string };

/** The format of a model's tool calls, as {@link ToolCallReader} detects them. */
export interface CallFormat {
  /** Opening markers of a call or a list of calls. */
  open: readonly string[];
  /** The opening marker that ends a header, and is no text where no call follows. @default none */
  headerEnd?: string;
  /** Closing markers; empty if the end of the last call closes the block. */
  close: readonly string[];
  /** Whether calls at the beginning of a reply may lack a marker. */
  bare: boolean;
  /**
   * What a reply may also begin with in place of a marker, by models that leave it out; an empty text: the call alone. Only
   * an object with a tool's name and `arguments` is a call then. @default nothing
   */
  unmarked?: readonly string[];
  /** What follows a tool's name where a reply may begin with it; another such call may follow. @default no call begins so */
  beginsWithName?: string;
  /** What a reply, or the text after a marker, begins with where it is no call; it is dropped. @default nothing */
  beginsText?: string;
  /** Starts of a call without a marker elsewhere in the reply; they are part of the call. */
  inline?: readonly string[];
  /** Around the name in the beginning of a call that ends an open thought. @default a thought holds no calls */
  endsThought?: { before: string; after: string };
  /** Separator of two calls, besides white space and the commas of a list. */
  separator?: string;
  /** Markers around all calls of a reply, which are no text. */
  around?: readonly string[];
  /** Starts of the results, which a model writes itself after its calls: they end the reply. @default none */
  results?: readonly string[];
  /** A character that only begins results right after the calls, as text may have it too. @default none */
  adjacentResults?: string;
  /** @default JSON */
  body?: CallBody;
}

/** JSON types of a tool's parameters, by name (by path, for nested elements); a parameter that is not listed is read as JSON where it is some. */
export type ParameterTypes = Readonly<Record<string, string | readonly string[]>>;

/** The types of one parameter; none if it is not listed. */
export function typesNamed(name: string, types: ParameterTypes): readonly string[] {
  return Object.hasOwn(types, name) ? [types[name]!].flat() : [];
}

/** Between the names of a path, where types of nested values are known. */
export const PATH_GAP = "\0";

/** Characters of a namespace, two underscores and the function's name. */
export const LONGEST_NAME = 64 + 2 + 128;

/** Nesting of arguments that are not written as JSON, the same as of schemas. */
export const MAX_LEVELS = 100;

/** All fixed texts of a format that may be, or contain, special tokens. */
export function markersOf(format: CallFormat): string[] {
  const { open, close, inline = [], separator, around = [], results = [], body } = format;
  const { before, name, id, between, after } =
    body?.kind === "named" ? body.syntax : ({} as Partial<NamedSyntax>);
  const quote = body?.kind === "escaped" ? body.quote : undefined;
  const token = body?.kind === "nested" ? body.token : undefined;
  const tags = body?.kind === "xml" ? tagsOf(body.syntax) : [];
  const all = [
    ...open,
    ...close,
    ...around,
    ...tags,
    ...inline,
    separator,
    ...results,
    before,
    name,
    id,
    between,
    after,
    quote,
    token,
  ];
  return all.filter((marker) => marker !== undefined && marker !== "") as string[];
}

function tagsOf({ call, member, memberEnd, around = [], end }: XmlSyntax): (string | undefined)[] {
  // What follows a name may be ordinary text, such as `">`.
  const afterKey = member.value === undefined ? [] : [member.after, member.value];
  return [call.before, member.before, ...afterKey, memberEnd, ...around, end];
}
