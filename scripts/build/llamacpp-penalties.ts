/**
 * Makes llama.cpp's penalties match OpenAI's and vLLM's (decision 118). Its server counts every prompt token as if it
 * had been generated. Its penalty is `count * frequency + (count > 0) * presence`, after the repetition penalty of
 * every token in the table, so entering prompt tokens with a count of 0 is enough.
 *
 * Two places of the compiled code change: the counter is incremented by a new global variable instead of 1, and that
 * variable is 0 while the prompt is passed to the sampler (`server_slot::init_sampler`).
 */

/** Code of one build, in hexadecimal; must be unique in the file, or the build fails. */
interface PenaltyCode {
  /** Increment of a token's count in `llama_sampler_penalties_accept`; contains `i32.const 1, i32.add` once. */
  increment: string;
  /** Call of `common_sampler_accept` with `is_generated` = 0, including its last argument. */
  acceptPrompt: string;
}

/** wllama 3.13.0, 64-bit memory. */
export const MAIN_CODE: PenaltyCode = {
  increment: "20032903202202200228021441016a360214",
  acceptPrompt: "2903f0182007410010af04",
};
/** wllama-compat 3.13.0, 32-bit memory, instrumented by Asyncify. */
export const COMPAT_CODE: PenaltyCode = {
  increment: "2004280218220128020c41016a21022001200236020c",
  acceptPrompt: "20012006410010d109",
};

const CODE_SECTION = 10;
const GLOBAL_SECTION = 6;
/** Names of functions, for stack traces: 250 kB and more. */
const CUSTOM_SECTION = 0;
/** A mutable i32 global, initially 1. */
const NEW_GLOBAL = [0x7f, 1, 0x41, 1, 0x0b];

/** @throws if the code is missing or not unique, as in another version of wllama */
export function patchPenalties(wasm: Uint8Array, code: PenaltyCode): Buffer {
  const source = Buffer.from(wasm);
  const increment = Buffer.from(code.increment, "hex");
  const accept = Buffer.from(code.acceptPrompt, "hex");
  const [incrementAt, acceptAt] = [findOnce(source, increment), findOnce(source, accept)];
  let global = -1;
  const sections = [...readSections(source)].map(({ id, start, end }) => {
    if (id === CUSTOM_SECTION) return Buffer.alloc(0);
    const content = source.subarray(start, end);
    if (id === GLOBAL_SECTION) {
      const [count, at] = readNumber(content, 0);
      global = count;
      const list = [number(count + 1), content.subarray(at), Buffer.from(NEW_GLOBAL)];
      return section(id, Buffer.concat(list));
    }
    if (id !== CODE_SECTION) return section(id, content);
    if (global < 0 || global > 127) throw new Error("wllama's globals are not where they were.");
    const added = Buffer.from([0x23, global]);
    const counted = Buffer.from(increment);
    added.copy(counted, increment.indexOf(Buffer.from([0x41, 1, 0x6a])));
    const [off, on] = [0, 1].map((value) => Buffer.from([0x41, value, 0x24, global]));
    const edits = [
      { at: incrementAt - start, old: increment.length, text: counted },
      { at: acceptAt - start, old: accept.length, text: Buffer.concat([off!, accept, on!]) },
    ];
    return section(id, editFunctions(content, edits));
  });
  return Buffer.concat([source.subarray(0, 8), ...sections]);
}

interface Edit {
  at: number;
  old: number;
  text: Buffer;
}

/** @throws if an edit is not in a function of its own */
function editFunctions(content: Buffer, edits: Edit[]): Buffer {
  const [count, first] = readNumber(content, 0);
  let made = 0;
  const parts = [content.subarray(0, first)];
  for (let body = 0, at = first; body < count; body++) {
    const [size, start] = readNumber(content, at);
    const edit = edits.find((one) => one.at >= start && one.at < start + size);
    if (!edit) parts.push(content.subarray(at, start + size));
    else {
      const edited = Buffer.concat([
        content.subarray(start, edit.at),
        edit.text,
        content.subarray(edit.at + edit.old, start + size),
      ]);
      parts.push(number(edited.length), edited);
      made++;
    }
    at = start + size;
  }
  if (made !== edits.length) throw new Error("wllama's code of the penalties is not in two functions.");
  return Buffer.concat(parts);
}

function* readSections(source: Buffer): Generator<{ id: number; start: number; end: number }> {
  for (let at = 8; at < source.length; ) {
    const [size, start] = readNumber(source, at + 1);
    yield { id: source[at]!, start, end: start + size };
    at = start + size;
  }
}

function section(id: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([id]), number(content.length), content]);
}

function findOnce(source: Buffer, code: Buffer): number {
  const at = source.indexOf(code);
  if (at < 0 || source.indexOf(code, at + 1) >= 0) {
    throw new Error(`wllama's code of the penalties is not where it was: ${code.toString("hex")}`);
  }
  return at;
}

/** An unsigned LEB128 number and where it ends. */
function readNumber(source: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = source[at++]!;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function number(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
