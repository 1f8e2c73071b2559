import type OpenAI from "openai";
import type { CursorPage } from "openai/pagination";
import { Resource } from "../../store/loadable.ts";
import { openai } from "../../store/runtime.ts";

const PAGE_LENGTH = 50;

interface Listed<T> {
  items: T[];
  hasMore: boolean;
}

/** The start of a list of the API, which grows by a page on request. */
export class PagedList<T extends { id: string }> extends Resource<Listed<T>> {
  readonly #pages: { shown: number };

  /** @param list requests the first page */
  constructor(list: (client: OpenAI, limit: number) => PromiseLike<CursorPage<T>>) {
    const pages = { shown: 1 };
    super(async () => {
      let page = await list(await openai(), PAGE_LENGTH);
      const items = [...page.data];
      for (let at = 1; at < pages.shown && page.hasNextPage(); at += 1) {
        page = await page.getNextPage();
        items.push(...page.data);
      }
      return { items, hasMore: page.hasNextPage() };
    });
    this.#pages = pages;
  }

  showMore(): Promise<void> {
    this.#pages.shown += 1;
    return this.refresh();
  }
}
