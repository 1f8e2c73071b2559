import { useSignal } from "@preact/signals";
import { Icon, type IconName } from "./icon.tsx";

interface ConfirmButtonProps {
  /** Action, for example "Delete conversation". */
  label: string;
  icon?: IconName;
  /** Shows the label beside the icon. */
  labelled?: boolean;
  onConfirm: () => void;
}

/** Button for irreversible actions: the second press confirms. */
export function ConfirmButton({ label, icon = "trash", labelled = false, onConfirm }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const press = (event: MouseEvent): void => {
    // The second press of a double click came before the question was read.
    if (event.detail > 1) return;
    if (isAsking.value) onConfirm();
    isAsking.value = !isAsking.value;
  };
  // The rest may be a name, whose capitals count.
  const words = isAsking.value ? `Really ${label.charAt(0).toLowerCase()}${label.slice(1)}?` : label;
  return (
    <button
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
