import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

type Render = (text: string) => DocumentFragment;

let render: Render | undefined;

/** Text of a model as Markdown. Until the code for it has come, and where it does not come, it is plain text. */
export function Markdown({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isReady = useSignal(render !== undefined);
  useEffect(() => {
    if (isReady.value) return;
    import("./render-markdown.ts").then(
      (module) => {
        render = module.renderMarkdown;
        isReady.value = true;
      },
      () => {},
    );
  }, []);
  const isRendered = isReady.value;
  useLayoutEffect(() => {
    if (isRendered && render) place.current?.replaceChildren(render(text));
  }, [text, isRendered]);
  // What the effect puts in is no child of Preact's: another key makes it another element.
  return isRendered ? (
    <div key="markdown" ref={place} class="markdown" />
  ) : (
    <p key="plain" class="plain">
      {text}
    </p>
  );
}
