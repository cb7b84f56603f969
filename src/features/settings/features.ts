import type { Engines } from '#engines/engines.ts';
import { refuse } from '#wire/refusals.ts';
import type { SettingKey } from './rules.ts';
import { settingsOf } from './settings.ts';

/** What an operator can turn off, and what whoever meets it reads. */
export const featureSentences = {
  'features.signUps': 'New accounts are not taken at the moment. Please try again later.',
  'features.uploads': 'Uploads are turned off at the moment. What is here stays as it is.',
  'features.sales': 'Nothing new can be bought at the moment. What was bought goes on.',
  'features.customRequests': "Custom requests aren't taken at the moment.",
  'features.assistant':
    'Sofia is not answering at the moment. The help page answers most questions, and the contact page reaches us.',
} as const satisfies Partial<Record<SettingKey, string>>;
export type Feature = keyof typeof featureSentences;

/** Returns whether a feature is turned on. */
export const isOn = async (engines: Pick<Engines, 'database' | 'clock'>, feature: Feature): Promise<boolean> =>
  (await settingsOf(engines))[feature] === 1;

/** @throws FORBIDDEN with the sentence about it, where a feature is turned off */
export async function requireFeature(engines: Pick<Engines, 'database' | 'clock'>, feature: Feature): Promise<void> {
  if (!(await isOn(engines, feature))) throw refuse('FORBIDDEN', { message: featureSentences[feature] });
}
