/** Rewrites what only Jinja2's lexer accepts, for the package's lexer: signs that keep white space, and escapes. */

const OPENING = /\{[#%{]([-+]?)/g;
/** Within a tag: a text, the end of the tag, a brace, or a quote that nothing closes. */
const PART = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\+?%\}|[{}"']/g;
/** Writes nothing. The package keeps the white space before and after it. */
const NOTHING = '{{""}}';

/** The same template in the package's syntax. From a tag without an end, which the package refuses, nothing is changed. */
export function forPackage(source: string): string {
  let made = "";
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(source);
    if (!opening) return made + source.slice(at);
    const [mark, sign] = opening as unknown as [string, string];
    const kind = mark[1]!;
    made += source.slice(at, opening.index);
    // White space before `{{` is always kept.
    if (sign === "+" && kind !== "{") made += NOTHING;
    made += sign === "+" ? mark.slice(0, -1) : mark;
    const inside = opening.index + mark.length;
    const tag = kind === "#" ? comment(source, inside) : expression(source, inside, kind);
    if (!tag) return made + source.slice(inside);
    made += tag.text;
    at = tag.end;
  }
}

interface Tag {
  text: string;
  /** Where the tag ends in the source. */
  end: number;
}

function comment(source: string, from: number): Tag | undefined {
  const close = source.indexOf("#}", from);
  if (close < 0) return undefined;
  const text = source.slice(from, close);
  return { text: text.endsWith("+") ? `${text.slice(0, -1)}#}${NOTHING}` : `${text}#}`, end: close + 2 };
}

/** @param kind `%` or `{`: a mapping's braces may precede the end of `{{` */
function expression(source: string, from: number, kind: string): Tag | undefined {
  let text = "";
  let at = from;
  let depth = 0;
  for (;;) {
    PART.lastIndex = at;
    const part = PART.exec(source);
    if (!part) return undefined;
    const [found] = part;
    text += source.slice(at, part.index);
    at = part.index + found.length;
    if (found === '"' || found === "'") return undefined;
    if (found === "}" && kind === "{" && depth === 0 && source[at] === "}")
      return { text: `${text}}}`, end: at + 1 };
    if (kind === "%" && found.endsWith("%}"))
      return { text: `${text}%}${found === "%}" ? "" : NOTHING}`, end: at };
    if (found === "{") depth++;
    else if (found === "}") depth--;
    text += found.length > 2 ? found.replace(ESCAPE, pythonEscape) : found;
  }
}

const ESCAPE = /\\(?:U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g;
/** Escapes that the package reads as Python does. */
const SHARED = new Set([..."ntrbfv'\"\\xu"]);

/** As Python reads it: an unknown escape stays as it is. */
function pythonEscape(written: string): string {
  const rest = written.slice(1);
  if (SHARED.has(rest)) return written;
  if (rest === "\n") return "";
  if (rest === "a") return "\\x07";
  if (/^U./.test(rest)) return String.fromCodePoint(Number.parseInt(rest.slice(1), 16));
  if (/^[0-7]/.test(rest)) return `\\u${Number.parseInt(rest, 8).toString(16).padStart(4, "0")}`;
  return `\\\\${rest}`;
}
