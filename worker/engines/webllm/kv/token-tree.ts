/** A radix tree of token ids: which sequences begin with a prompt's first tokens, and with how many of them. */

interface Node<T> {
  /** Tokens from the parent's end to this node's. */
  run: number[];
  parent: Node<T> | undefined;
  /** By the first token of their run. */
  readonly children: Map<number, Node<T>>;
  /** Sequences that end here. */
  readonly ends: Set<T>;
}

export class TokenTree<T> {
  readonly #root: Node<T> = node([], undefined);
  readonly #places = new Map<T, Node<T>>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** Adds tokens to the end of a sequence; an unknown one begins empty. */
  append(sequence: T, tokens: readonly number[]): void {
    const end = this.#places.get(sequence) ?? this.#root;
    const isAlone = end !== this.#root && end.children.size === 0 && end.ends.size === 1;
    if (isAlone) {
      for (const token of tokens) end.run.push(token);
      return;
    }
    end.ends.delete(sequence);
    const place = descend(end, tokens);
    place.ends.add(sequence);
    this.#places.set(sequence, place);
  }

  /** Keeps a sequence's first `length` tokens. */
  cut(sequence: T, length: number): void {
    const runs: number[][] = [];
    for (let at = this.#places.get(sequence); at; at = at.parent) runs.push(at.run);
    const tokens = runs.reverse().flat();
    if (tokens.length === length) return;
    this.remove(sequence);
    this.append(sequence, tokens.slice(0, length));
  }

  /** Whether another sequence begins with all tokens of this one. */
  isPartOfAnother(sequence: T): boolean {
    const place = this.#places.get(sequence);
    return place !== undefined && (place.children.size > 0 || place.ends.size > 1);
  }

  remove(sequence: T): void {
    const place = this.#places.get(sequence);
    if (!place) return;
    this.#places.delete(sequence);
    place.ends.delete(sequence);
    prune(place);
  }

  /** The sequences that share the most leading tokens with `tokens`, and how many they share, at most `limit`. */
  match(tokens: readonly number[], limit = tokens.length): { matched: number; sequences: T[] } {
    let found = this.#root;
    let matched = 0;
    while (matched < limit) {
      const child = found.children.get(tokens[matched]!);
      if (!child) break;
      const shared = sharedLength(child.run, tokens, matched, limit);
      found = child;
      matched += shared;
      if (shared < child.run.length) break;
    }
    return { matched, sequences: matched > 0 ? below(found) : [] };
  }
}

function node<T>(run: number[], parent: Node<T> | undefined): Node<T> {
  return { run, parent, children: new Map(), ends: new Set() };
}

/** Puts a node below its parent. */
function attach<T>(child: Node<T>, parent: Node<T>): Node<T> {
  child.parent = parent;
  parent.children.set(child.run[0]!, child);
  return child;
}

/** The node where `tokens` end, counted from `from`; made where there is none. */
function descend<T>(from: Node<T>, tokens: readonly number[]): Node<T> {
  let place = from;
  for (let at = 0; at < tokens.length; ) {
    const child = place.children.get(tokens[at]!);
    if (!child) return attach(node(tokens.slice(at), place), place);
    const shared = sharedLength(child.run, tokens, at, tokens.length);
    place = shared < child.run.length ? split(child, shared) : child;
    at += shared;
  }
  return place;
}

/** Divides a node's run after `length` tokens. @returns the new node of the first part */
function split<T>(lower: Node<T>, length: number): Node<T> {
  const upper = attach(node(lower.run.slice(0, length), lower.parent), lower.parent!);
  lower.run = lower.run.slice(length);
  attach(lower, upper);
  return upper;
}

/** Removes nodes that no sequence passes through, and joins one that only leads to another with that one. */
function prune<T>(from: Node<T>): void {
  let place = from;
  while (place.parent && place.children.size === 0 && place.ends.size === 0) {
    place.parent.children.delete(place.run[0]!);
    place = place.parent;
  }
  const [only, second] = place.children.values();
  if (!place.parent || place.ends.size > 0 || !only || second) return;
  only.run = [...place.run, ...only.run];
  attach(only, place.parent);
}

/** All sequences that end at a node or below it. */
function below<T>(top: Node<T>): T[] {
  const found: T[] = [];
  const open = [top];
  for (let place = open.pop(); place; place = open.pop()) {
    found.push(...place.ends);
    open.push(...place.children.values());
  }
  return found;
}

/** How far a run agrees with `tokens` from position `at` on, up to position `limit`. */
export function sharedLength(
  run: readonly number[],
  tokens: readonly number[],
  at: number,
  limit: number,
): number {
  const most = Math.min(run.length, limit - at);
  let length = 0;
  while (length < most && run[length] === tokens[at + length]) length++;
  return length;
}
