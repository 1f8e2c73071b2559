/** The markers around calls, found in the texts around and between them. */

import { commonPrefix } from "../../../../src/shared/common-prefix.ts";
import { commonEnd } from "../../../chat-template/written-calls.ts";
import type { CallFormat } from "../../../reply/call-format.ts";

/** Texts around what a call consists of. */
export interface Surroundings {
  /** Before the first call. */
  before: string;
  /** After the last one. */
  after: string;
  /** Between two; undefined if a turn has one only. */
  between: string | undefined;
}

interface CallMarkers {
  /** What begins each call, up to the call itself. */
  begin: string;
  /** What ends it. */
  end: string;
  /** The tag that `begin` begins with; may be empty. */
  open: string;
  /** Between it and the call. */
  afterOpen: string;
  /** Between the call and `close`. */
  beforeClose: string;
  /** The tag that `end` ends with; may be empty. */
  close: string;
  /** Markers of the block that holds all calls. */
  around: string[];
}

const TAG = String.raw`(?:<[^<>\s][^<>]*>|\[\/?[A-Z_]+\])`;
const FIRST_TAG = new RegExp(String.raw`^\s*(${TAG})`);
const LAST_TAG = new RegExp(String.raw`(${TAG})\s*$`);

/** The marker that a text begins with; empty if ordinary text may begin so, too. */
export function firstTag(text: string): string {
  return FIRST_TAG.exec(text)?.[1] ?? "";
}

/** The markers of calls: in what a template writes before and after one call, and between two. */
export function markersAround({ before, after, between }: Surroundings): CallMarkers {
  const begin = between === undefined ? before : fromTag(commonEnd(before, between)) || before;
  const end = between === undefined ? after : toTag(commonPrefix([after, between])) || after;
  const open = firstTag(begin);
  const close = LAST_TAG.exec(end)?.[1] ?? "";
  const outer = [before.slice(0, before.length - begin.length), after.slice(end.length)];
  return {
    begin: begin.trim(),
    end: end.trim(),
    open,
    afterOpen: begin.slice(begin.indexOf(open) + open.length).trim(),
    beforeClose: end.slice(0, end.lastIndexOf(close)).trim(),
    close,
    around: outer.map((text) => text.trim()).filter((text) => text !== ""),
  };
}

/** The markers of a format; may be empty. */
export function callMarkers(open: string, close: string, around: string[] = []): Omit<CallFormat, "body"> {
  return {
    open: open === "" ? [] : [open],
    close: close === "" ? [] : [close],
    bare: open === "",
    ...(around.length > 0 ? { around } : {}),
  };
}

function fromTag(text: string): string {
  const at = text.search(/[<[]/);
  return at < 0 ? "" : text.slice(at);
}

function toTag(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf(">"), text.lastIndexOf("]")) + 1);
}
