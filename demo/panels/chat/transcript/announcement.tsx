import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Screen readers have taken the text by then. Left in the page, it would be read twice. */
const SHOWN_MS = 1000;

interface AnnouncementProps {
  /** The messages. */
  contents: RefObject<HTMLElement | null>;
  isWriting: boolean;
}

/** Announces a reply to screen readers, once and as it is rendered, when it is complete. Errors are alerts of their own. */
export function Announcement({ contents, isWriting }: AnnouncementProps) {
  const text = useSignal("");
  const wasWriting = useRef(false);
  useEffect(() => {
    const isComplete = wasWriting.current && !isWriting;
    wasWriting.current = isWriting;
    if (!isComplete) return;
    text.value = textOf(contents.current?.lastElementChild);
    const timer = setTimeout(() => {
      text.value = "";
    }, SHOWN_MS);
    return () => {
      clearTimeout(timer);
      // The next reply may be the same text, which is announced only as a change.
      text.value = "";
    };
  }, [isWriting]);
  return (
    <p class="hidden" aria-live="polite">
      {text.value}
    </p>
  );
}

/** The text of a message without its author, thoughts, tools and statistics. */
function textOf(message: Element | null | undefined): string {
  const parts = message?.querySelectorAll<HTMLElement>(":scope > :is(.markdown, .plain, .soft)") ?? [];
  return [...parts].map((part) => part.innerText).join("\n");
}
