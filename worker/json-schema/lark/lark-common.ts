/** The terminals of Lark's grammar `common`, as regular expressions. */

const SIGN = "[+-]?";
const INT = "[0-9]+";
const EXPONENT = `[eE]${SIGN}${INT}`;
const DECIMAL = `(?:${INT}\\.(?:${INT})?|\\.${INT})`;
const FLOAT = `(?:${INT}${EXPONENT}|${DECIMAL}(?:${EXPONENT})?)`;
const NUMBER = `(?:${FLOAT}|${INT})`;

export const COMMON: ReadonlyMap<string, string> = new Map([
  ["DIGIT", "[0-9]"],
  ["HEXDIGIT", "[0-9a-fA-F]"],
  ["INT", INT],
  ["SIGNED_INT", SIGN + INT],
  ["DECIMAL", DECIMAL],
  ["FLOAT", FLOAT],
  ["SIGNED_FLOAT", SIGN + FLOAT],
  ["NUMBER", NUMBER],
  ["SIGNED_NUMBER", SIGN + NUMBER],
  ["LCASE_LETTER", "[a-z]"],
  ["UCASE_LETTER", "[A-Z]"],
  ["LETTER", "[a-zA-Z]"],
  ["WORD", "[a-zA-Z]+"],
  ["CNAME", "[a-zA-Z_][a-zA-Z0-9_]*"],
  ["ESCAPED_STRING", '"(?:[^"\\\\\\n]|\\\\[^\\n])*"'],
  ["WS_INLINE", "[ \\t]+"],
  ["WS", "[ \\t\\f\\r\\n]+"],
  ["CR", "\\r"],
  ["LF", "\\n"],
  ["NEWLINE", "(?:\\r?\\n)+"],
  ["SH_COMMENT", "#[^\\n]*"],
  ["CPP_COMMENT", "//[^\\n]*"],
  ["C_COMMENT", "/\\*(?:[^*]|\\*+[^*/])*\\*+/"],
  ["SQL_COMMENT", "--[^\\n]*"],
]);
