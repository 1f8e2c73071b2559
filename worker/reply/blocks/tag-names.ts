import { PATH_GAP, type ParameterTypes } from "../call-format.ts";
import { NamesWithEnd, parameterNamed } from "./parameter-names.ts";

const END = ">";

/** The known names of tags, which may have any character, spaces around them and `>` included. */
export class TagNames {
  readonly #names: ParameterTypes;
  readonly #withEnd: NamesWithEnd;

  constructor(names: readonly string[]) {
    this.#names = Object.fromEntries(names.map((name) => [name, ""]));
    this.#withEnd = new NamesWithEnd(this.#names, END);
  }

  /**
   * The name that `text` begins with, known or not, and its length with the end of the tag.
   *
   * @returns undefined if more text is needed to tell, false if it is no name
   */
  read(text: string): { name: string; length: number } | undefined | false {
    const whole = this.#withEnd.named(text);
    if (whole === undefined) return undefined;
    if (whole !== "") return { name: whole, length: whole.length + END.length };
    const end = text.indexOf(END);
    if (end < 0) return undefined;
    const name = parameterNamed(text.slice(0, end), this.#names);
    const isName = Object.hasOwn(this.#names, name) || (name !== "" && !name.includes("<"));
    return isName && { name, length: end + END.length };
  }
}

const NONE = new TagNames([]);

/** The names of parameters and of what is in them, by the path of the element that has them. */
export class NestedNames {
  /** Characters of the longest one. */
  readonly longest: number;
  readonly #byPath: ReadonlyMap<string, TagNames>;

  constructor(types: ParameterTypes) {
    const lists = new Map<string, string[]>();
    let longest = 0;
    for (const path of Object.keys(types)) {
      const at = path.lastIndexOf(PATH_GAP);
      const [parent, name] = at < 0 ? ["", path] : [path.slice(0, at), path.slice(at + PATH_GAP.length)];
      longest = Math.max(longest, name.length);
      if (lists.has(parent)) lists.get(parent)!.push(name);
      else lists.set(parent, [name]);
    }
    this.longest = longest;
    this.#byPath = new Map(Array.from(lists, ([parent, names]) => [parent, new TagNames(names)]));
  }

  /** @param path of the element; empty for the parameters themselves */
  at(path: string): TagNames {
    return this.#byPath.get(path) ?? NONE;
  }
}
