import type { ComponentChildren } from "preact";
import { ScrollArea } from "./scroll-area.tsx";

/** A heading; `number`: of a right-aligned column; `hidden`: for screen readers only. */
type Column = string | { number: string } | { hidden: string };

interface TableProps {
  label: string;
  columns: readonly Column[];
  /** The rows. */
  children: ComponentChildren;
  foot?: ComponentChildren;
}

/** A table that scrolls sideways where it is too wide. */
export function Table({ label, columns, children, foot }: TableProps) {
  return (
    <ScrollArea label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <Heading key={at} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot ? <tfoot>{foot}</tfoot> : null}
      </table>
    </ScrollArea>
  );
}

function Heading({ column }: { column: Column }) {
  if (typeof column === "string") return <th>{column}</th>;
  if ("number" in column) return <th class="number">{column.number}</th>;
  return (
    <th>
      <span class="hidden">{column.hidden}</span>
    </th>
  );
}
