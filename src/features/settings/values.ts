import { formatCount, formatMoney } from '#kit/text.ts';
import { type SettingKey, type SettingRule, settingRules } from './rules.ts';

/** The groups of settings by the beginning of their keys, in the order in which an operator reads them. */
export const settingGroups = {
  site: 'Site',
  features: 'Features',
  limits: 'Limits',
  links: 'Links',
  access: 'Requests for access',
  viewing: 'Viewing',
  accounts: 'Accounts',
  plan: 'Plan',
  money: 'Money',
  credits: 'Credits',
  affiliates: 'Partners',
  assistant: 'Assistant',
  privacy: 'Privacy',
  operations: 'Operations',
  marketing: 'Marketing',
  legal: 'Legal',
} as const;
export type SettingGroup = keyof typeof settingGroups;

const isGroup = (word: string): word is SettingGroup => Object.hasOwn(settingGroups, word);

/** Returns the group that a setting is listed in. */
export function groupOf(key: SettingKey): SettingGroup {
  const [word = ''] = key.split('.', 1);
  return isGroup(word) ? word : 'marketing';
}

/** How a value is written: as it is, with a word behind it, as a size, an amount or a share. */
type Unit = 'plain' | 'bytes' | 'cents' | 'percent' | CountUnit;
type CountUnit = { one: string; many: string };

/** Amounts of credits; the other numbers of their group have a unit in their names. */
const inCredits: ReadonlySet<SettingKey> = new Set([
  'credits.suiteMonthly',
  'credits.referral',
  'credits.firstSteps',
  'credits.trace',
  'credits.storage',
  'credits.address',
  'credits.priority',
  'credits.videoHour',
  'credits.answers',
]);

const credits: CountUnit = { one: 'credit', many: 'credits' };
const units: readonly [ends: RegExp, unit: Unit][] = [
  [/Bytes(PerDay)?$/, 'bytes'],
  [/Cents$/, 'cents'],
  [/Percent$/, 'percent'],
  [/PerSecond$/, 'plain'],
  [/days$/i, { one: 'day', many: 'days' }],
  [/hours$/i, { one: 'hour', many: 'hours' }],
  [/minutes$/i, { one: 'minute', many: 'minutes' }],
  [/seconds$/i, { one: 'second', many: 'seconds' }],
  [/months$/i, { one: 'month', many: 'months' }],
  [/Px$/, { one: 'pixel', many: 'pixels' }],
  [/Megapixels$/, { one: 'megapixel', many: 'megapixels' }],
];

function unitOf(key: SettingKey): Unit {
  if (inCredits.has(key)) return credits;
  return units.find(([ends]) => ends.test(key))?.[1] ?? 'plain';
}

const sizes = { GB: 1_000_000_000, MB: 1_000_000, MiB: 1_048_576 } as const;

/** A size to the byte: "20 GB", "8 MiB". */
function formatSize(sizeBytes: number): string {
  const [name, size] = Object.entries(sizes).find(([, each]) => sizeBytes % each === 0) ?? ['bytes', 1];
  return `${(sizeBytes / size).toLocaleString('en')} ${name}`;
}

/** A value as an operator reads it: "50 MB", "$3.99", "10%", "On". `readSettingValue` reads it back. */
export function formatSetting(key: SettingKey, value: number | string): string {
  if (typeof value === 'string') return value === '' ? 'Empty' : value;
  if (settingRules[key].kind === 'switch') return value === 1 ? 'On' : 'Off';
  const unit = unitOf(key);
  if (unit === 'bytes') return formatSize(value);
  if (unit === 'cents') return formatMoney(value);
  if (unit === 'percent') return `${value}%`;
  return unit === 'plain' ? value.toLocaleString('en') : formatCount(value, unit.one, unit.many);
}

const longestNumber = 40;
const factors: Readonly<Record<string, number>> = {
  b: 1,
  bytes: 1,
  kb: 1000,
  mb: sizes.MB,
  gb: sizes.GB,
  tb: 1000 * sizes.GB,
  mib: sizes.MiB,
};

/** Returns what one of a unit counts in the stored value; undefined for a unit that is none of the setting's. */
function factorOf(unit: Unit, word: string): number | undefined {
  if (unit === 'bytes') return factors[word || 'bytes'];
  if (unit === 'cents') return word === '' || word === '$' ? 100 : undefined;
  if (unit === 'percent') return word === '' || word === '%' ? 1 : undefined;
  const isItsOwn = word === '' || (unit !== 'plain' && (word === unit.one || word === unit.many));
  return isItsOwn ? 1 : undefined;
}

/** A value as an operator types it: "50 MB", "4.99". @returns undefined when it is none of its kind */
export function readSettingValue(key: SettingKey, typed: string): number | string | undefined {
  const rule: SettingRule = settingRules[key];
  if (rule.kind === 'text') return typed;
  if (typed.length > longestNumber) return undefined;
  const text = typed.trim().toLowerCase();
  if (rule.kind === 'switch') return { on: 1, off: 0 }[text];
  const [, sign = '', number = '', word = ''] = /^(\$?)([\d,]*(?:\.\d*)?) ?([a-z%]*)$/.exec(text) ?? [];
  const factor = factorOf(unitOf(key), sign + word);
  if (!/\d/.test(number) || factor === undefined) return undefined;
  const value = Number(number.replaceAll(',', '')) * factor;
  const nearest = Math.round(value);
  return Math.abs(value - nearest) < 1e-6 && Number.isSafeInteger(nearest) ? nearest : undefined;
}

/** What a setting takes, in a sentence: "Between 1 GB and 10,000 GB." */
export function describeBounds(key: SettingKey): string {
  const rule: SettingRule = settingRules[key];
  if (rule.kind === 'switch') return 'On or off.';
  if (rule.kind === 'text') return rule.form?.bounds ?? `Up to ${rule.maxLength} characters.`;
  return `Between ${formatSetting(key, rule.min)} and ${formatSetting(key, rule.max)}.`;
}

/** What a setting is, without the unit that its value is stored in: that stands behind the value. */
export const describeSetting = (key: SettingKey): string =>
  settingRules[key].about.replace(/, in (bytes|cents|percent|pixels|megapixels|seconds|minutes|hours|days)\.$/, '.');

/** Whether somebody pays or is paid by a setting: a change of it is confirmed by typing the new value. */
export function isPrice(key: SettingKey): boolean {
  const unit = unitOf(key);
  return unit === 'cents' || unit === 'percent' || unit === credits;
}
