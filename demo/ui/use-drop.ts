import { useSignal } from "@preact/signals";

/** Whether files are over an element, and its event handlers. Text goes where it always goes. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const isOver = useSignal(false);
  return {
    isOver: isOver.value,
    handlers: {
      onDragOver(event: DragEvent): void {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        isOver.value = true;
      },
      onDragLeave(): void {
        isOver.value = false;
      },
      onDrop(event: DragEvent): void {
        isOver.value = false;
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        onFiles(files);
      },
    },
  };
}
