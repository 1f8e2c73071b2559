/** Paragraphs of a text, each short enough for the embedding model. */
export function paragraphsOf(text, maxLength = 600) {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim());
  const part = new RegExp(`.{1,${maxLength}}`, "gu");
  return paragraphs.flatMap((paragraph) => paragraph.match(part) ?? []);
}

/** Texts of one request: far below the limit, 2,048, so that a long file does not hold up others. */
const BATCH = 256;

/** Texts with their vectors, in memory. */
export class VectorIndex {
  #embed;
  #entries = [];

  /** @param embed texts → vectors of unit length */
  constructor(embed) {
    this.#embed = embed;
  }

  get size() {
    return this.#entries.length;
  }

  /** Adds the texts of a file, in place of earlier ones of the same name. */
  async add(name, texts) {
    const vectors = [];
    for (let start = 0; start < texts.length; start += BATCH)
      vectors.push(...(await this.#embed(texts.slice(start, start + BATCH))));
    const others = this.#entries.filter((entry) => entry.name !== name);
    this.#entries = [...others, ...texts.map((text, at) => ({ name, text, vector: vectors[at] }))];
  }

  /** The nearest texts, best first. */
  async search(query, count) {
    const [wanted] = await this.#embed([query]);
    const score = ({ vector }) => vector.reduce((sum, value, at) => sum + value * wanted[at], 0);
    return this.#entries
      .map((entry) => ({ ...entry, score: score(entry) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
  }
}
