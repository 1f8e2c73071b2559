/** Arithmetic without `eval`: numbers, + - * / % ^, parentheses. Recursive descent, one function per precedence. */

const TOKEN = /\s*(\d+(?:\.\d+)?|\*\*|[-+*/%^()×÷])/y;
/** Maximum nesting, far below the stack limit. */
const MAX_DEPTH = 100;

/** @throws for an invalid expression */
export function calculate(expression: string): number {
  const tokens = tokenize(expression);
  let at = 0;
  let depth = 0;

  const take = (...wanted: string[]): string | undefined =>
    wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined;

  const sum = (): number => {
    let value = product();
    for (let sign = take("+", "-"); sign; sign = take("+", "-")) {
      value += sign === "+" ? product() : -product();
    }
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = take("*", "/", "%"); sign; sign = take("*", "/", "%")) {
      const next = signed();
      value = sign === "*" ? value * next : sign === "/" ? value / next : value % next;
    }
    return value;
  };
  const signed = (): number => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error("The sum is nested too deeply.");
    const sign = take("-", "+");
    const value = sign === "-" ? -signed() : sign === "+" ? signed() : power();
    depth -= 1;
    return value;
  };
  // Binds more tightly than a sign before it: -2^2 is -4.
  const power = (): number => {
    const base = atom();
    return take("^") ? base ** signed() : base;
  };
  const atom = (): number => {
    if (take("(")) {
      const value = sum();
      if (!take(")")) throw new Error("A bracket is not closed.");
      return value;
    }
    const token = tokens[at++];
    if (token === undefined || Number.isNaN(Number(token))) throw new Error("A number is missing.");
    return Number(token);
  };

  const value = sum();
  if (at < tokens.length) throw new Error(`Unexpected "${tokens[at]}".`);
  if (!Number.isFinite(value)) throw new Error("The result is not a finite number.");
  return value;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  const text = expression.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined)
      throw new Error(`"${text.slice(from, from + 12)}" is not an arithmetic expression.`);
    tokens.push({ "**": "^", "×": "*", "÷": "/" }[token] ?? token);
  }
  return tokens;
}
