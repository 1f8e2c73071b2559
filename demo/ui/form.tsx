import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reasonOf } from "../store/loadable.ts";
import { Failure } from "./states.tsx";

interface FormProps {
  /** Text of the submit button. */
  action: string;
  disabled: boolean;
  /** If it rejects, the form shows the reason. */
  onSubmit: () => Promise<void>;
  children: ComponentChildren;
}

/** A form that shows why its last submission failed. */
export function Form({ action, disabled, onSubmit, children }: FormProps) {
  const problem = useSignal("");
  const form = useRef<HTMLFormElement>(null);
  // Its end may be below the edge of a small window.
  useEffect(() => {
    if (problem.value !== "") form.current?.scrollIntoView({ block: "end" });
  }, [problem.value]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    problem.value = await onSubmit().then(() => "", reasonOf);
  };
  return (
    <form ref={form} class="form-stack" onSubmit={(event) => void submit(event)}>
      {children}
      {problem.value === "" ? null : <Failure reason={problem.value} />}
      <div class="row row-end">
        <button type="submit" class="button primary" disabled={disabled}>
          {action}
        </button>
      </div>
    </form>
  );
}
