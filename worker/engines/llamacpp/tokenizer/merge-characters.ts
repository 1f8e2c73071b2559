/** Byte-pair merges of the characters of a text, as llama.cpp does them for SentencePiece vocabularies. */

/** Lowest first; undefined if the two are not merged. */
export type Rank = (left: string, right: string) => number | undefined;

interface Merge {
  rank: number;
  left: number;
  right: number;
  /** Length of the merged text; a candidate with other lengths is outdated. */
  length: number;
}

/** Merges neighbors in llama.cpp's order: the lowest rank first, then from left to right. */
export function mergeCharacters(text: string, rank: Rank): string[] {
  const pieces = Array.from(text);
  const next = pieces.map((_, at) => at + 1);
  const previous = pieces.map((_, at) => at - 1);
  const queue: Merge[] = [];
  const consider = (left: number, right: number): void => {
    if (left < 0 || right >= pieces.length) return;
    const order = rank(pieces[left]!, pieces[right]!);
    if (order === undefined) return;
    push(queue, { rank: order, left, right, length: pieces[left]!.length + pieces[right]!.length });
  };
  for (let at = 1; at < pieces.length; at++) consider(at - 1, at);
  for (let merge = pop(queue); merge; merge = pop(queue)) {
    const { left, right, length } = merge;
    if (!pieces[left] || !pieces[right] || pieces[left].length + pieces[right].length !== length) continue;
    pieces[left] += pieces[right];
    pieces[right] = "";
    next[left] = next[right]!;
    if (next[left] < pieces.length) previous[next[left]] = left;
    consider(previous[left]!, left);
    consider(left, next[left]);
  }
  return pieces.filter((piece) => piece !== "");
}

const isBefore = (a: Merge, b: Merge): boolean => a.rank < b.rank || (a.rank === b.rank && a.left < b.left);

/** Adds to a binary heap. */
function push(heap: Merge[], merge: Merge): void {
  let at = heap.push(merge) - 1;
  for (let parent = (at - 1) >> 1; at > 0 && isBefore(merge, heap[parent]!); parent = (at - 1) >> 1) {
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = merge;
}

/** Removes the first of a binary heap. */
function pop(heap: Merge[]): Merge | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return first;
}
