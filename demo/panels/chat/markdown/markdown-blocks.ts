/** Splits Markdown into parts that are rendered one by one, in time linear in the text. Independent of the DOM. */

/** One part: lines that no other part can change, apart from link definitions. */
export type Block = { type: "text"; text: string } | { type: "code"; text: string };

const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const INDENTED = /^[ \t]/;
const INDENTED_CODE = /^(?: {4}| {0,3}\t)/;

interface Line {
  text: string;
  start: number;
  /** After the line feed. */
  end: number;
}

/**
 * Splits at blank lines and around fenced code. A list stays whole over blank lines, as does indented code. The texts of
 * all blocks, in order, are the text without the blank lines between them.
 */
export function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = 0;
  let fence = "";
  let isList = false;
  let isIndented = false;
  let isBehindBlank = false;
  const close = (): void => {
    if (start >= 0) blocks.push({ type: fence === "" ? "text" : "code", text: text.slice(start, end) });
    start = -1;
    fence = "";
    isList = false;
    isBehindBlank = false;
  };
  for (const line of linesOf(text)) {
    if (fence !== "") {
      end = line.end;
      if (endsFence(line.text, fence)) close();
      continue;
    }
    if (line.text.trim() === "") {
      isBehindBlank = true;
      continue;
    }
    const isItem = LIST_ITEM.test(line.text);
    if (isBehindBlank && !continues(line.text, isItem, isList, isIndented)) close();
    const [, indent = "", marks = ""] = FENCE.exec(line.text) ?? [];
    if (marks !== "" && !(isList && indent !== "")) {
      close();
      fence = marks;
    }
    if (start < 0) {
      start = line.start;
      isIndented = INDENTED_CODE.test(line.text);
    }
    isList ||= isItem;
    isBehindBlank = false;
    end = line.end;
  }
  close();
  return blocks;
}

function continues(text: string, isItem: boolean, isList: boolean, isIndented: boolean): boolean {
  if (isList) return isItem || INDENTED.test(text);
  return isIndented && INDENTED_CODE.test(text);
}

/** Whether a line ends fenced code: the same mark alone, at least as often. */
export function endsFence(line: string, marks: string): boolean {
  const found = line.trim();
  const isEnd = found.startsWith(marks) && found.replaceAll(marks.charAt(0), "") === "";
  return isEnd && !INDENTED_CODE.test(line);
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed + 1;
    yield { text: text.slice(start, feed < 0 ? end : feed), start, end };
    start = end;
  }
}

/** A definition is a line such as `[name]: https://…`. */
const DEFINITION = /^ {0,3}\[[^[\]]{1,200}\]:[ \t]*\S/;
/** More are left out: each block may refer to all of them. */
const MAX_DEFINITIONS = 100;
const MAX_DEFINITION_LENGTH = 1000;

/** The lines that define links for all blocks, as Markdown. */
export function definitionsOf(blocks: readonly Block[]): string {
  const found: string[] = [];
  for (const { type, text } of blocks) {
    if (type === "code" || !text.includes("]:")) continue;
    for (const line of linesOf(text)) {
      if (found.length === MAX_DEFINITIONS) break;
      if (line.text.length <= MAX_DEFINITION_LENGTH && DEFINITION.test(line.text)) found.push(line.text);
    }
  }
  return found.join("\n");
}
