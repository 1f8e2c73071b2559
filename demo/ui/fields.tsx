/** Form fields with label and hint. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** Error message for the value. */
  error?: string | undefined;
  /** Receives the attributes that link the control to its label and hint. */
  children: (attributes: {
    id: string;
    "aria-describedby"?: string;
    "aria-invalid"?: boolean;
  }) => JSX.Element;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const explanation = error ?? hint;
  const attributes = {
    id,
    ...(explanation ? { "aria-describedby": `${id}-hint` } : {}),
    ...(error ? { "aria-invalid": true } : {}),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(attributes)}
      {explanation ? (
        <p id={`${id}-hint`} class={error ? "hint wrong" : "hint"}>
          {explanation}
        </p>
      ) : null}
    </div>
  );
}

interface TextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  placeholder?: string;
  type?: "text" | "number" | "search" | "date" | "datetime-local";
  min?: number | string;
  max?: number | string;
  step?: number | "any";
  required?: boolean;
}

/** What the browser cannot read, such as "1e" or "0,2" as a number, is an empty value: it is named as wrong. */
export function TextField({ label, hint, error, value, onChange, type = "text", ...rest }: TextProps) {
  const isUnreadable = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  // A value that is set or cleared from outside replaces what could not be read.
  useLayoutEffect(() => {
    isUnreadable.value = input.current?.validity.badInput ?? false;
  }, [value]);
  return (
    <Field label={label} hint={hint} error={isUnreadable.value && value === "" ? UNREADABLE[type] : error}>
      {(attributes) => (
        <input
          ref={input}
          // TypeScript does not narrow this union.
          type={type as "text"}
          autocomplete="off"
          {...rest}
          {...attributes}
          value={value}
          onInput={({ currentTarget }) => {
            isUnreadable.value = currentTarget.validity.badInput;
            onChange(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

const UNREADABLE: Partial<Record<NonNullable<TextProps["type"]>, string>> = {
  number: "This is not a number.",
};

interface AreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  placeholder?: string;
  rows?: number;
  code?: boolean;
}

export function TextArea({ label, hint, error, value, onChange, code, rows = 3, placeholder }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...attributes}
          class={code ? "code-input" : ""}
          rows={rows}
          spellcheck={!code}
          placeholder={placeholder ?? ""}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  /** Value and displayed text. */
  options: readonly (readonly [value: T, text: string])[];
  onChange: (value: T) => void;
  hint?: ComponentChildren;
}

export function Select<T extends string>({ label, hint, value, options, onChange }: SelectProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  value: boolean;
  onChange: (value: boolean) => void;
  hint?: string;
}

export function Checkbox({ label, value, onChange, hint }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint ? <span class="hint">{hint}</span> : null}
      </span>
    </label>
  );
}
