import type { ExpiryInput, LinkRulesInput } from '../contract.ts';
import type { Preset } from '../rules.ts';
import type { LinkPreset, PresetRules } from './presets-contract.ts';

/** Presets that a creator may keep. */
export const mostPresets = 20;

/** What a preset keeps of a link to come: no password, which is no rule here, no age and no day of the calendar. */
export function toPreset(
  { ageGate: _age, notBefore: _day, ...rules }: LinkRulesInput,
  expiry: ExpiryInput,
  defaultDays: number,
): Pick<LinkPreset, 'rules' | 'expiry'> {
  return { rules, expiry: expiry.kind === 'at' ? { kind: 'after', hours: defaultDays * 24 } : expiry };
}

/** Rules of a link that begins with a preset; its age and its first day stay as they are. */
export const withPreset = (
  { ageGate, notBefore }: Pick<LinkRulesInput, 'ageGate' | 'notBefore'>,
  { rules }: { rules: PresetRules },
): LinkRulesInput => ({ ...rules, ageGate, ...(notBefore !== undefined && { notBefore }) });

/**
 * Rules of a link after a tap on a ready-made preset. One preset stands in the place of another, so the limits of time and
 * of people that any of them speaks of begin afresh; what it does not speak of, like an email address, an agreement or
 * countries, stays as it was chosen.
 */
export function withReadyPreset(rules: LinkRulesInput, preset: Pick<Preset, 'rules'>): LinkRulesInput {
  const { openForMs: _time, viewBudgetMs: _budget, bindFirstViewer: _first, maxViewers: _people, ...kept } = rules;
  return { ...kept, ...preset.rules };
}

/** A value in one spelling, whatever the order in which its parts were written; what is undefined is not there. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spell).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${parts
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${name}:${spell(part)}`)
    .join()}}`;
}

/** The preset whose rules these are, if any. */
export function findOwnPreset<Own extends Pick<LinkPreset, 'rules' | 'expiry'>>(
  presets: readonly Own[],
  { rules, expiry }: { rules: LinkRulesInput; expiry: ExpiryInput },
): Own | undefined {
  const { ageGate: _age, notBefore: _day, ...kept } = rules;
  return presets.find((one) => spell(one.rules) === spell(kept) && spell(one.expiry) === spell(expiry));
}
