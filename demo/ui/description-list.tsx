import type { ComponentChildren } from "preact";

interface DescriptionListProps {
  class: string;
  /** Those whose description is null are omitted. */
  rows: readonly (readonly [term: string, description: ComponentChildren])[];
}

export function DescriptionList({ class: name, rows }: DescriptionListProps) {
  return (
    <dl class={name}>
      {rows
        .filter(([, description]) => description !== null)
        .map(([term, description]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd class="breakable">{description}</dd>
          </div>
        ))}
    </dl>
  );
}
