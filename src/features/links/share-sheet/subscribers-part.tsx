import { Link } from 'react-router';
import { formatPrice, isolate } from '#kit/text.ts';
import { Chips } from '#ui/forms/chips.tsx';
import type { SheetTier } from './asked-words.ts';

interface SubscribersProps {
  tiers: readonly SheetTier[];
  /** Empty for any tier; undefined for a link that subscribers get nothing of. */
  tierIds: readonly string[] | undefined;
  onChange: (tierIds: readonly string[] | undefined) => void;
}

/** Whether subscribers open it as well, of any tier or of one. */
export function SubscribersPart({ tiers, tierIds, onChange }: SubscribersProps) {
  const [first, ...others] = tiers;
  const named = tiers.map(({ id, name, priceCents }) => ({
    value: id,
    label: `${isolate(name)}, ${formatPrice(priceCents)}`,
  }));
  // A tier that was stopped meanwhile stands there until something else is chosen.
  const chosen = tierIds === undefined ? 'none' : tierIds.length === 0 ? 'any' : (tierIds[0] ?? 'any');
  const pick = (value: string) => onChange(value === 'none' ? undefined : value === 'any' ? [] : [value]);
  return (
    <div className="grid gap-1.5">
      <p aria-hidden="true" className="font-medium">
        Subscribers
      </p>
      {first === undefined ? (
        <p className="text-13 text-quiet">
          {'You have no tier yet. '}
          <Link to="/account/tiers" className="underline">
            Make one
          </Link>
          {', and its subscribers open this link.'}
        </p>
      ) : (
        <Chips
          label="Subscribers"
          options={[
            { value: 'none', label: 'No subscribers' },
            ...(others.length > 0 ? [{ value: 'any', label: 'Any tier' }] : []),
            ...named,
          ]}
          value={chosen}
          onChange={pick}
        />
      )}
    </div>
  );
}
