import { useLayoutEffect, useRef } from "preact/hooks";
import { passFocusOn } from "./keys.ts";

interface MoreButtonProps {
  /** Names the list for screen readers. */
  what: string;
  onMore: () => void;
}

/** Shows more of a list that is longer than what is shown. */
export function MoreButton({ what, onMore }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  // It is removed when all is shown.
  useLayoutEffect(() => {
    const own = button.current!;
    return () => passFocusOn(own);
  }, []);
  return (
    <button ref={button} type="button" class="button small" aria-label={`Show more ${what}`} onClick={onMore}>
      Show more
    </button>
  );
}
