import { Failure } from "./states.tsx";

interface FormEndProps {
  /** The button's text. */
  action: string;
  disabled: boolean;
  /** Why the last attempt failed; empty if it did not. */
  problem: string;
}

/** The end of a form: what went wrong, and the button that submits it. */
export function FormEnd({ action, disabled, problem }: FormEndProps) {
  return (
    <>
      {problem === "" ? null : <Failure reason={problem} />}
      <div class="row row-end">
        <button type="submit" class="button primary" disabled={disabled}>
          {action}
        </button>
      </div>
    </>
  );
}
