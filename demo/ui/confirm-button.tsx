import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";
import { passFocusOn } from "./keys.ts";

interface ConfirmButtonProps {
  /** Action, for example "Revoke". */
  label: string;
  icon?: IconName;
  /** Shows the label beside the icon. */
  labelled?: boolean;
  onConfirm: () => void;
}

/** Button for irreversible actions: the second press confirms. */
export function ConfirmButton({ label, icon = "trash", labelled = false, onConfirm }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  // What it deletes may be the row that it stands in.
  useLayoutEffect(() => {
    const own = button.current!;
    return () => passFocusOn(own);
  }, []);
  const press = (event: MouseEvent): void => {
    // The second press of a double click came before the question was read.
    if (event.detail > 1) return;
    if (isAsking.value) onConfirm();
    isAsking.value = !isAsking.value;
  };
  // Starts with the text that is shown, as people who speak to the page say it.
  const words = isAsking.value ? `Sure? ${label}` : label;
  return (
    <button
      ref={button}
      type="button"
      class={`${labelled || isAsking.value ? "button small" : "icon-button"} ${isAsking.value ? "danger" : ""}`}
      aria-label={words}
      title={words}
      onClick={press}
      onBlur={() => {
        isAsking.value = false;
      }}
    >
      <Icon name={icon} />
      {isAsking.value ? <span>Sure?</span> : labelled ? <span>{label}</span> : null}
    </button>
  );
}
