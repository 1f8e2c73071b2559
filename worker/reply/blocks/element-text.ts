import type { CallFormat, XmlSyntax } from "../call-format.ts";

export const CDATA = { open: "<![CDATA[", close: "]]>" };

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The value that the text between an argument's tags stands for, without the line breaks of a value on lines of its own. */
export function elementText(text: string, { isEscaped, isOnLines, member }: XmlSyntax): string {
  // Models that are not trained on such lines may write them; where a tag begins the value, they do not.
  const hasLines = isOnLines || (member.value === undefined && /^\r?\n[\s\S]*\n$/.test(text));
  const value = hasLines ? text.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : text;
  return isEscaped
    ? value.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES.get(name)!)
    : value;
}

/**
 * What ends a value. vLLM ends it at the first of these tags wherever it is. Here the tags of what follows only count
 * where the template writes them, at the start of a line, or where the call ends too: a value may be code with such text.
 */
export function valueEnds(
  { member, memberEnd, end }: XmlSyntax,
  { open, close, around = [] }: CallFormat,
): readonly string[] {
  const tags = [member.before, end, ...close].filter((tag) => tag !== "");
  const ends = close.flatMap((tag) =>
    end === ""
      ? [...open, ...around].flatMap((next) => [tag + next, `${tag}\n${next}`])
      : [end + tag, `${end}\n${tag}`],
  );
  return [memberEnd, ...tags.map((tag) => `\n${tag}`), ...ends];
}

/** What ends a CDATA section, which may contain `]]>`: that before a tag of the call. */
export function sectionEnds({ member, memberEnd, end }: XmlSyntax): readonly string[] {
  return [memberEnd, member.before, end].flatMap((tag) => [CDATA.close + tag, `${CDATA.close}\n${tag}`]);
}
