import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { isolate } from '#kit/text.ts';
import { Chips } from '#ui/forms/chips.tsx';
import type { LinkRulesInput } from '../contract.ts';
import { Policy } from '../policy.ts';
import { type AlbumDefaults, beginOffers, priceOf } from '../presets/album-default-rules.ts';
import { findOwnPreset, withPreset, withReadyPreset } from '../presets/preset-rules.ts';
import type { LinkPreset } from '../presets/presets-contract.ts';
import { presetOf, presets } from '../rules.ts';
import { PresetMenu, SavePreset } from './preset-actions.tsx';
import type { SaleState } from './price-part.tsx';
import type { RuleChange, RuleDraft } from './rule-sentence.tsx';

interface PresetChipsProps {
  draft: Pick<RuleDraft, 'rules' | 'expiry'>;
  sale: SaleState;
  /** What the links show. */
  albums: readonly AlbumDefaults[];
  /** The creator's own. */
  own: readonly LinkPreset[];
  onChange: (change: Pick<RuleChange, 'rules' | 'expiry'>) => void;
}

/** "Pay to open" at the price that the albums say. */
const withAlbumPrice = (
  rules: LinkRulesInput,
  albums: readonly AlbumDefaults[],
  { mostPriceCents }: SaleState,
): LinkRulesInput => ({ ...rules, offers: beginOffers(rules.offers, albums, mostPriceCents) });

/** Ready-made rules, the creator's own after them, and the way to keep the present ones. */
export function PresetChips({ draft, sale, albums, own, onChange }: PresetChipsProps) {
  const { rules } = draft;
  const { linkDefaultDays } = useMe().me?.limits ?? usualLimits;
  const chosen = findOwnPreset(own, draft);
  const choose = (id: string) => {
    const kept = own.find((one) => one.id === id);
    if (kept !== undefined) return onChange({ rules: withPreset(rules, kept), expiry: kept.expiry });
    const ready = presets.find((one) => one.id === id);
    if (ready === undefined) return;
    const chosenRules = withReadyPreset(rules, ready);
    const isPriced = ready.id === 'pay' && priceOf(albums) !== undefined;
    onChange({ rules: isPriced ? withAlbumPrice(chosenRules, albums, sale) : chosenRules });
  };
  return (
    <div className="grid gap-1">
      <Chips
        label="Preset"
        options={[
          ...presets
            .filter(({ id }) => id !== 'pay' || sale.state === 'ready')
            .map(({ id, label }) => ({ value: id as string, label })),
          ...own.map(({ id, name }) => ({ value: id, label: isolate(name) })),
        ]}
        value={chosen?.id ?? presetOf(Policy.parse(rules))}
        onChange={choose}
      />
      <div className="-mx-2.5 -mb-3 flex flex-wrap text-13">
        {chosen === undefined ? (
          <SavePreset draft={draft} defaultDays={linkDefaultDays} />
        ) : (
          <PresetMenu key={chosen.id} preset={chosen} />
        )}
      </div>
    </div>
  );
}
