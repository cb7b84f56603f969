import type { Tx } from '#engines/database/work.ts';
import { type AuditEntry, insertAudit } from '#features/audit/store.ts';
import { findSettingFault, type SettingKey, settingRules } from '#features/settings/rules.ts';
import { lockSettings, readSettings, resetSetting, writeSetting } from '#features/settings/store.ts';
import { cleanLine } from '#kit/clean-text.ts';

export interface SettingOrder {
  key: SettingKey;
  /** Null for the default. */
  value: number | string | null | undefined;
  /** The value that whoever changes it has seen; left out, any. */
  seen?: number | string;
}

export type SettingOutcome =
  | { kind: 'changed'; before: number | string; value: number | string }
  | { kind: 'refused'; because: string }
  /** Somebody else changed it since it was read. */
  | { kind: 'changed_meanwhile'; value: number | string };

/** A value as it travels: what was typed in a shell may hold line breaks and spaces at its ends, which a call does not carry. */
const asRead = (value: number | string) => (typeof value === 'string' ? cleanLine(value).trim() : value);

/** Changes one setting, audited; it is in force on the next request of every process. */
export async function changeSetting(
  tx: Tx,
  { actor, requestId, now }: { actor: AuditEntry['actor']; requestId?: string; now: Date },
  { key, value: wanted, seen }: SettingOrder,
): Promise<SettingOutcome> {
  await lockSettings(tx);
  const settings = await readSettings(tx);
  const before = settings[key];
  if (seen !== undefined && asRead(seen) !== asRead(before)) return { kind: 'changed_meanwhile', value: before };
  const value = wanted === null ? settingRules[key].default : wanted;
  const fault = findSettingFault(settings, key, value);
  if (fault !== undefined || value === undefined) return { kind: 'refused', because: fault ?? '' };
  const by = actor.id ?? null;
  if (wanted === null) await resetSetting(tx, key, { by, now });
  else await writeSetting(tx, { key, value, by, now });
  await insertAudit(tx, {
    actor,
    action: 'setting.changed',
    details: detailsOf(key, before, value),
    ...(requestId !== undefined && { requestId }),
  });
  return { kind: 'changed', before, value };
}

/** A text may be the slug of a link, which the log never holds. */
const detailsOf = (key: SettingKey, before: number | string, value: number | string) =>
  settingRules[key].kind === 'text' ? { key } : { key, before, value };
