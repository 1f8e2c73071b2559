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
  readonly #root: Node<T> = newNode([], undefined);
  /** Where each sequence ends. */
  readonly #endNodes = new Map<T, Node<T>>();

  get isEmpty(): boolean {
    return this.#endNodes.size === 0;
  }

  /** Adds tokens to the end of a sequence; an unknown one begins empty. */
  append(sequence: T, tokens: readonly number[]): void {
    const end = this.#endNodes.get(sequence) ?? this.#root;
    const isAlone = end !== this.#root && end.children.size === 0 && end.ends.size === 1;
    if (isAlone) {
      for (const token of tokens) end.run.push(token);
      return;
    }
    end.ends.delete(sequence);
    const node = descend(end, tokens);
    node.ends.add(sequence);
    this.#endNodes.set(sequence, node);
  }

  /** Keeps a sequence's first `length` tokens. */
  cut(sequence: T, length: number): void {
    const runs: number[][] = [];
    for (let at = this.#endNodes.get(sequence); at; at = at.parent) runs.push(at.run);
    const tokens = runs.reverse().flat();
    if (tokens.length === length) return;
    this.remove(sequence);
    this.append(sequence, tokens.slice(0, length));
  }

  /** Whether another sequence begins with all tokens of this one. */
  isPartOfAnother(sequence: T): boolean {
    const node = this.#endNodes.get(sequence);
    return node !== undefined && (node.children.size > 0 || node.ends.size > 1);
  }

  remove(sequence: T): void {
    const node = this.#endNodes.get(sequence);
    if (!node) return;
    this.#endNodes.delete(sequence);
    node.ends.delete(sequence);
    prune(node);
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

function newNode<T>(run: number[], parent: Node<T> | undefined): Node<T> {
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
  let node = from;
  for (let at = 0; at < tokens.length; ) {
    const child = node.children.get(tokens[at]!);
    if (!child) return attach(newNode(tokens.slice(at), node), node);
    const shared = sharedLength(child.run, tokens, at, tokens.length);
    node = shared < child.run.length ? split(child, shared) : child;
    at += shared;
  }
  return node;
}

/** Divides a node's run after `length` tokens. @returns the new node of the first part */
function split<T>(lower: Node<T>, length: number): Node<T> {
  const upper = attach(newNode(lower.run.slice(0, length), lower.parent), lower.parent!);
  lower.run = lower.run.slice(length);
  attach(lower, upper);
  return upper;
}

/** Removes nodes that no sequence passes through, and joins one that only leads to another with that one. */
function prune<T>(from: Node<T>): void {
  let node = from;
  while (node.parent && node.children.size === 0 && node.ends.size === 0) {
    node.parent.children.delete(node.run[0]!);
    node = node.parent;
  }
  const [only, second] = node.children.values();
  if (!node.parent || node.ends.size > 0 || !only || second) return;
  only.run = [...node.run, ...only.run];
  attach(only, node.parent);
}

/** All sequences that end at a node or below it. */
function below<T>(top: Node<T>): T[] {
  const found: T[] = [];
  const open = [top];
  for (let node = open.pop(); node; node = open.pop()) {
    found.push(...node.ends);
    open.push(...node.children.values());
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
