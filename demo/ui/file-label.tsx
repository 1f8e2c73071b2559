import type { ComponentChildren } from "preact";

interface FileLabelProps {
  class: string;
  children: ComponentChildren;
  /** Names the field where the label has no text. */
  title?: string;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onChoose: (files: readonly File[]) => void;
  onDragOver?: (event: DragEvent) => void;
  onDragLeave?: () => void;
  onDrop?: (event: DragEvent) => void;
}

/** A label that chooses files, as a button or an area to drop them; its field is hidden. */
export function FileLabel({ children, accept, multiple, disabled, onChoose, ...label }: FileLabelProps) {
  return (
    <label {...label}>
      {children}
      <input
        class="hidden"
        type="file"
        accept={accept}
        multiple={multiple ?? false}
        disabled={disabled ?? false}
        {...(label.title === undefined ? {} : { "aria-label": label.title })}
        onChange={({ currentTarget: input }) => {
          // Copied: clearing the field clears its list, too.
          onChoose([...(input.files ?? [])]);
          // Else choosing the same file again would not be a change.
          input.value = "";
        }}
      />
    </label>
  );
}
