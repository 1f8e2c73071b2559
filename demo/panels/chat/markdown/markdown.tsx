import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

type Show = (text: string) => void;

let markdownIn: ((place: Element) => Show) | undefined;

/** Model output as Markdown; plain text until the renderer is loaded, or if it fails to load. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const show = useRef<Show | undefined>(undefined);
  const isReady = useSignal(markdownIn !== undefined);
  useEffect(() => {
    if (isReady.value) return;
    import("./render-markdown.ts").then(
      (module) => {
        markdownIn = module.markdownIn;
        isReady.value = true;
      },
      () => {},
    );
  }, []);
  const isRendered = isReady.value;
  useLayoutEffect(() => {
    if (!isRendered || !place.current) return;
    show.current ??= markdownIn?.(place.current);
    show.current?.(text);
  }, [text, isRendered]);
  // The nodes shown are unknown to Preact: another key creates a new element.
  return isRendered ? (
    <div key="markdown" ref={place} class="markdown" />
  ) : (
    <p key="plain" class="plain">
      {text}
    </p>
  );
}
