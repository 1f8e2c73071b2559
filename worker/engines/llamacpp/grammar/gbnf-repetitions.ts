/** Splits long repetitions into rules: llama.cpp refuses more than 2,000 symbols (its `MAX_REPETITION_THRESHOLD`). */

type Expression = string;
type Define = (expression: Expression) => string;

/** The largest count in a result: even groups of 50 symbols stay below the threshold. */
const MAX_COUNT = 40;

const TOKENS =
  /"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|\{(?<min>\d+)(?<comma>,)?(?<max>\d*)\}|[A-Za-z][A-Za-z0-9_-]*|\s+|./g;

/**
 * Splits the repetitions of a GBNF rule with counts above 40. The rule accepts the same texts, and each count has only
 * one derivation.
 *
 * @param define adds a rule and returns its name
 */
export function splitRepetitions(line: string, define: Define): string {
  const tokens: string[] = [];
  const open: number[] = [];
  /** Where the last operand begins. */
  let operand = 0;
  for (const { 0: token, groups } of line.matchAll(TOKENS)) {
    if (groups!.min !== undefined) {
      const min = Number(groups!.min);
      const max = groups!.comma === undefined ? min : groups!.max ? Number(groups!.max) : undefined;
      if (Math.max(min, max ?? 0) > MAX_COUNT) {
        const part = define(tokens.splice(operand).join(""));
        tokens.push(`(${between(part, min, max, define)})`);
        continue;
      }
    } else if (token === "(") open.push(tokens.length);
    else if (token === ")") operand = open.pop() ?? 0;
    else if (token.trim()) operand = tokens.length;
    tokens.push(token);
  }
  return tokens.join("");
}

function between(rule: string, min: number, max: number | undefined, define: Define): Expression {
  const rest = max === undefined ? `${rule}*` : atMost(rule, max - min, define);
  return min === 0 ? rest : `${exactly(rule, min, define)} ${rest}`.trim();
}

function exactly(rule: string, count: number, define: Define): Expression {
  if (count <= MAX_COUNT) return `${rule}{${count}}`;
  const many = exactly(define(`${rule}{${MAX_COUNT}}`), Math.floor(count / MAX_COUNT), define);
  const rest = count % MAX_COUNT;
  return rest === 0 ? many : `${many} ${rule}{${rest}}`;
}

function atMost(rule: string, count: number, define: Define): Expression {
  if (count === 0) return "";
  if (count <= MAX_COUNT) return `${rule}{0,${count}}`;
  const many = define(`${rule}{${MAX_COUNT}}`);
  const most = Math.floor(count / MAX_COUNT);
  const fewer = `${atMost(many, most - 1, define)} ${rule}{0,${MAX_COUNT - 1}}`;
  const all = `${exactly(many, most, define)} ${atMost(rule, count % MAX_COUNT, define)}`;
  return `(${fewer.trim()} | ${all.trim()})`;
}
