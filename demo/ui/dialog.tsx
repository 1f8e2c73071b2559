import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Native modal dialog: traps focus, closes on Escape and restores focus. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    // Removed without being closed, it would take the focus with it.
    return () => shown.close();
  }, []);
  return (
    // The event is a later task: ignored if the dialog is removed by then.
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={() => dialog.current && onClose()}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
