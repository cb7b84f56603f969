import { settingsOf } from '#features/settings/settings.ts';
import { secondMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { screenAliveMs } from './rules.ts';

/** The moment since which an open screen must have renewed its keys to count as alive, by the settings in force. */
export async function aliveSinceOf({ engines, now }: Pick<Context, 'engines' | 'now'>): Promise<Date> {
  const { 'viewing.renewSeconds': renewSeconds } = await settingsOf(engines);
  return new Date(now.getTime() - screenAliveMs(renewSeconds * secondMs));
}
