/** The record of one sequence in the KV cache. */
import { CONTEXT_WINDOW, PAGE } from "../generated";

/** Most sequences that live at a time, in a forward pass or idle. */
export const MAX_SEQUENCES: i32 = 256;
/** Most pages of one sequence. */
export const SEQUENCE_PAGES: i32 = (CONTEXT_WINDOW + PAGE - 1) / PAGE;

@unmanaged
export class Sequence {
  alive: i32;
  id: i32;
  /** Positions that are filled. */
  length: i32;
  /** Tokens of the forward pass that has begun. */
  pending: i32;
  pageCount: i32;
  /** Leading pages that the table on the GPU lists already. */
  pagesOnGpu: i32;
  /** Where the page table begins in the buffer of tables, in words. */
  table: i32;
  /** Page numbers: i32[SEQUENCE_PAGES]. */
  pages: usize;

  page(index: i32): i32 {
    return load<i32>(this.pages + (<usize>index << 2));
  }

  addPage(page: i32): void {
    store<i32>(this.pages + ((<usize>(this.pageCount++)) << 2), page);
  }
}
