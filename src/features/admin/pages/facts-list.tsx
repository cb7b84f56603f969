import { Card } from '#ui/layout/card.tsx';

export type Fact = readonly [name: string, value: string];

/** Names and what is known of each. */
export function FactsList({ facts }: { facts: readonly Fact[] }) {
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-13 text-quiet sm:leading-6">{name}</dt>
            <dd className="min-w-0 pb-1.5 wrap-anywhere sm:pb-0">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
