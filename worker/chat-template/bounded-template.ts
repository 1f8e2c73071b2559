/** Runs chat templates, which are untrusted programs from model files, with limits on steps, text and list sizes. */

import { Environment, parse } from "@huggingface/jinja";
import { systemClock } from "../clock.ts";
import { Budget, type TemplateLimits } from "./jinja/budget.ts";
import { fromData } from "./jinja/from-data.ts";
import { Jinja2Interpreter } from "./jinja/interpreter.ts";
import { jinjaGlobals } from "./jinja/members.ts";
import { tokensOf } from "./jinja/source.ts";
import { strftime } from "./jinja/text/strftime.ts";
import { callable, integer, list, type Value } from "./jinja/values.ts";

/** Characters of a template: ten times the longest known one. */
const MAX_SOURCE = 400_000;
/** White space in a row: the package's search for tags takes its square. */
const MAX_SPACE = 1_000;

const LIMITS: TemplateLimits = { steps: 100_000, length: 200_000 };

export class BoundedTemplate {
  readonly #program: ReturnType<typeof parse>;

  /** @throws {Error} if the source is too long, nested too deeply or not a valid template */
  constructor(source: string) {
    if (source.length > MAX_SOURCE) throw new Error(`it has more than ${MAX_SOURCE} characters`);
    refuseLongSpace(source);
    this.#program = guarded(() => parse(tokensOf(source.replace(/\r\n?/g, "\n"))));
  }

  /**
   * @param items plain data, with a `JsonObject` where its text counts
   * @throws {Error} if the template fails or exceeds a limit
   */
  render(items: Readonly<Record<string, unknown>>, limits = LIMITS): string {
    const budget = new Budget(limits);
    const environment = new Environment();
    for (const [name, value] of Object.entries(GLOBALS)) environment.set(name, value);
    const interpreter = new Jinja2Interpreter(environment, budget);
    return guarded(() => {
      const given = Object.entries(items).map(([name, data]) => [name, fromData(data)] as const);
      for (const [name, value] of [
        ...given,
        ...Object.entries({ ...jinjaGlobals(budget), range: rangeFor(budget) }),
      ])
        environment.setVariable(name, value as never);
      return String(interpreter.run(this.#program).value);
    });
  }
}

function refuseLongSpace(source: string): void {
  let length = 0;
  for (let at = 0; at < source.length; at++) {
    length = source.charCodeAt(at) <= 0x20 ? length + 1 : 0;
    if (length > MAX_SPACE) throw new Error(`it has more than ${MAX_SPACE} spaces or line ends in a row`);
  }
}

/** Python's `range` with a limited length. */
function rangeFor(budget: Budget): Value {
  return callable((args) => {
    const [start, stop, step = 1] = args.map(({ value }) => Number(value)) as [number, number?, number?];
    const [first, last] = stop === undefined ? [0, start] : [start, stop];
    if (step === 0) throw new Error("range() must not have a step of 0");
    const length = Math.max(0, Math.ceil((last - first) / step));
    budget.require(length);
    return list(Array.from({ length }, (_, at) => integer(first + at * step)));
  });
}

/** The library's globals, but `range`. */
const GLOBALS = {
  false: false,
  true: true,
  none: null,
  True: true,
  False: false,
  None: null,
  strftime_now: (format: string) => strftime(format, new Date(systemClock.now())),
};

/** Turns a stack overflow into an ordinary error. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isOverflow(error) ? new Error("it is nested too deeply", { cause: error }) : error;
  }
}

/** As V8, JavaScriptCore and SpiderMonkey call it; other limits throw errors of the same names. */
function isOverflow(error: unknown): boolean {
  const known = /^(RangeError: Maximum call stack size exceeded|InternalError: too much recursion)/;
  return known.test(String(error));
}
