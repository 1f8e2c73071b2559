import type { PagedList } from "./paged-list.ts";

/** Loads the next page of a list; nothing if there is none. */
export function MoreButton({ list, what }: { list: PagedList<{ id: string }>; what: string }) {
  if (list.value?.hasMore !== true) return null;
  return (
    <button
      type="button"
      class="button small"
      aria-label={`Show more ${what}`}
      onClick={() => void list.showMore()}
    >
      Show more
    </button>
  );
}
