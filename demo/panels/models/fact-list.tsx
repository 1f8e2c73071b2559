/** Names and values; empty values are omitted. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  const known = facts.filter(([, value]) => value !== "");
  return (
    <dl class="model-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="breakable">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
