import type { Engines } from '#engines/engines.ts';
import { type Confirmation, operatorClaims } from './claims/claims.ts';
import { listConfirmations } from './claims/claims-store.ts';
import { confirm as confirmClaim, isClaim, longestSource, withdraw as withdrawClaim } from './claims/confirming.ts';

const system = { kind: 'system' } as const;
const by = { actor: { type: 'system' } } as const;
type Needed = Pick<Engines, 'database' | 'clock'>;

/** `pf claims`, `pf claims confirm KEY --source TEXT [--until DAY]`, `pf claims withdraw KEY`. */
export interface ClaimOrder {
  verb: string | undefined;
  key: string | undefined;
  source: string | undefined;
  until: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runClaims(engines: Needed, { verb, key, source, until }: ClaimOrder): Promise<string> {
  if (verb === undefined) return describeClaims(engines);
  if (verb !== 'confirm' && verb !== 'withdraw')
    throw new Error('Use `claims`, `claims confirm KEY --source TEXT [--until DAY]` or `claims withdraw KEY`.');
  if (key === undefined || !isClaim(key))
    throw new Error(`There is no claim "${key ?? ''}". \`pf claims\` lists them all.`);
  return verb === 'confirm' ? confirm(engines, key, source, until) : withdraw(engines, key);
}

async function confirm(
  { database, clock }: Needed,
  key: string,
  source: string | undefined,
  until: string | undefined,
): Promise<string> {
  if (source === undefined || source.trim() === '' || source.length > longestSource)
    throw new Error(`Say where it can be checked: --source "…", up to ${longestSource} characters.`);
  const now = new Date(clock());
  const expiresAt = until === undefined ? null : dayOf(until);
  if (expiresAt !== null && expiresAt <= now) throw new Error('--until takes a day that is still to come.');
  await database.work(system, (tx) => confirmClaim(tx, by, { key, source: source.trim(), expiresAt, now }));
  return `Public pages show ${key} now${expiresAt === null ? '' : `, until ${describeDay(expiresAt)}`}.`;
}

async function withdraw({ database }: Needed, key: string): Promise<string> {
  const wasConfirmed = await database.work(system, (tx) => withdrawClaim(tx, by, key));
  if (!wasConfirmed) throw new Error(`${key} was not confirmed.`);
  return `${key} is no longer confirmed.`;
}

/** @throws for what is no day */
function dayOf(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && describeDay(day) === text;
  if (!isDay) throw new Error('--until takes a day like 2027-06-30.');
  return day;
}

const describeDay = (day: Date) => day.toISOString().slice(0, 10);

async function describeClaims({ database, clock }: Needed): Promise<string> {
  const confirmations = await database.work(system, listConfirmations);
  const now = new Date(clock());
  return operatorClaims
    .flatMap(({ key, place, figure, text }) => [
      `  ${key} (${place}): ${figure === undefined ? '' : `${figure} `}${text}`,
      `    ${describeState(
        confirmations.find((confirmation) => confirmation.key === key),
        now,
      )}`,
    ])
    .join('\n');
}

function describeState(confirmation: Confirmation | undefined, now: Date): string {
  if (confirmation === undefined) return 'not confirmed: shown in a sandbox only, as a sample';
  const { source, checkedAt, expiresAt } = confirmation;
  if (expiresAt !== null && expiresAt <= now) return `expired on ${describeDay(expiresAt)}: ${source}`;
  const end = expiresAt === null ? '' : `, until ${describeDay(expiresAt)}`;
  return `confirmed on ${describeDay(checkedAt)}${end}: ${source}`;
}
