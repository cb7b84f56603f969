import type { Engines } from '#engines/engines.ts';
import { findAccountByEmail } from '#features/accounts/store.ts';
import { commandLine } from '#features/audit/operator.ts';
import type { PageVitals } from '#features/audit/page-metrics.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { describeRecomputed } from '#features/plans/recomputed-words.ts';
import { recomputePlan } from '#features/plans/recomputing.ts';
import { formatCount, formatShare } from '#kit/text.ts';
import type { Desk } from './acting.ts';
import { showButtons } from './buttons/buttons.ts';
import type { ControlRow } from './buttons-contract.ts';
import type { FoundAccount } from './contract.ts';
import { showVitals } from './debug/figures.ts';
import { logsDebugUntil, publishLogLevel } from './debug/log-level.ts';
import { findErrors, showErrors } from './operations/operations.ts';
import type { ErrorEntry, ErrorGroup } from './operations-contract.ts';
import { findPeople } from './users/looking.ts';

type Needs = Pick<Engines, 'database' | 'clock'>;

const deskOf = (engines: Needs): Desk => ({
  engines,
  asSystem: (run) => engines.database.work({ kind: 'system' }, run),
});

const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The bounds of the desk's own search. */
const [shortestSearch, longestSearch] = [2, 254];

/** Finds people for `pf find WORDS`: by an address, a name, a handle, an id, or the number of a receipt, a report or a request. @returns what to print */
export async function runFind(engines: Needs, words: readonly string[]): Promise<string> {
  const query = words.join(' ').trim();
  if (query.length < shortestSearch || query.length > longestSearch)
    throw new Error(
      'Say who: an address, a name, a @handle, an id, or the number of a receipt, a report or a request.',
    );
  const { accounts, addresses } = await findPeople(deskOf(engines), query);
  const lines = [...accounts.map(writeAccount), ...addresses.map((address) => `${plainLine(address)}  has no account`)];
  return lines.length === 0 ? 'Nobody is found by that.' : lines.join('\n');
}

const writeAccount = ({ id, email, displayName, handle, status, isConfirmed, createdAt }: FoundAccount): string =>
  [
    id,
    plainLine(email),
    plainLine(displayName),
    ...(handle === null ? [] : [`@${handle}`]),
    isConfirmed ? status : `${status}, address not confirmed`,
    `since ${minuteOf(createdAt)}`,
  ].join('  ');

/** Asks the payment provider how somebody's plan stands for `pf recompute EMAIL`. @returns what to print */
export async function runRecompute(engines: Engines, [address = '']: readonly string[]): Promise<string> {
  const email = address.trim().toLowerCase();
  if (email === '') throw new Error('Say whose plan: `recompute EMAIL`.');
  const account = await engines.database.work({ kind: 'system' }, (tx) => findAccountByEmail(tx, email));
  if (account === undefined) throw new Error(`No account has the address "${address}".`);
  const asked = await recomputePlan(engines, account.id, commandLine);
  if (asked.kind === 'not_done') throw new Error(asked.because);
  if (asked.kind === 'too_often')
    throw new Error(
      `The provider was asked just now. Wait ${formatCount(Math.ceil(asked.retryAfterSeconds), 'second')}.`,
    );
  return `${plainLine(account.email)}: ${describeRecomputed(asked, minuteOf)}`;
}

const mostDays = 30;

/** Groups the errors of the last days for `pf errors [DAYS | ID]`, or shows those of a request, an error or an account. @returns what to print */
export async function runErrors(engines: Needs, [what = '1']: readonly string[]): Promise<string> {
  if (/^\d{1,3}$/.test(what)) {
    const days = Number(what);
    if (days < 1 || days > mostDays) throw new Error(`Say 1 to ${mostDays} days, or an id.`);
    const groups = await showErrors(deskOf(engines), days);
    return groups.length === 0 ? 'No errors.' : groups.map(writeGroup).join('\n');
  }
  if (what.length > longestSearch) throw new Error('That is no id.');
  const entries = await findErrors(deskOf(engines), what);
  return entries.length === 0 ? 'Nothing stands in the log under that id.' : entries.map(writeEntry).join('\n\n');
}

const writeGroup = ({ component, message, severity, count, people, lastAt, requestId }: ErrorGroup): string =>
  `${String(count).padStart(6)}  ${severity.padEnd(8)}  ${plainLine(component)}: ${plainLine(message)}  (${formatCount(people, 'person', 'people')}, last ${minuteOf(lastAt)}${requestId === null ? '' : `, ${plainLine(requestId)}`})`;

const writeEntry = ({ id, component, message, stack, severity, url, requestId, at }: ErrorEntry): string =>
  [
    `${minuteOf(at)}  ${severity}  ${plainLine(component)}: ${plainLine(message)}`,
    `  error ${id}${requestId === null ? '' : `, request ${plainLine(requestId)}`}${url === null ? '' : `, at ${plainLine(url)}`}`,
    ...(stack ?? '').split('\n').map((line) => `  ${plainLine(line)}`),
  ].join('\n');

/** Shows how fast pages were for `pf vitals [DAYS]`. @returns what to print */
export async function runVitals(engines: Needs, [what = '1']: readonly string[]): Promise<string> {
  const days = /^\d{1,2}$/.test(what) ? Number(what) : 0;
  if (days < 1 || days > mostDays) throw new Error(`Say 1 to ${mostDays} days.`);
  const vitals = await showVitals(deskOf(engines), days);
  return vitals.length === 0 ? 'Nothing was measured.' : vitals.map(writeVitals).join('\n');
}

const writeVitals = ({ page, metric, samples, p75, good, poor }: PageVitals): string =>
  `${plainLine(page)}  ${metric}  p75 ${metric === 'CLS' ? p75.toFixed(2) : `${Math.round(p75)} ms`}  ${formatShare(good, samples)} good, ${formatShare(poor, samples)} poor of ${formatCount(samples, 'sample')}`;

/** Has the running processes write details into their logs, for `pf log-level debug | usual`. @returns what to print */
export async function runLogLevel(engines: Needs, [what]: readonly string[]): Promise<string> {
  if (what !== 'debug' && what !== 'usual') throw new Error('Say debug, for 15 minutes, or usual, at once.');
  const isEnd = what === 'usual';
  const untilMs = logsDebugUntil(engines.clock(), { isEnd });
  await deskOf(engines).asSystem((tx) => publishLogLevel(tx, { actor: { type: 'system' } }, untilMs));
  return isEnd
    ? 'Every process that runs is back to its usual level.'
    : `Every process that runs writes details until ${minuteOf(new Date(untilMs))}.`;
}

const kept: Readonly<Record<string, (row: ControlRow) => boolean>> = {
  untested: ({ journeys }) => journeys.length === 0,
  dead: ({ isDead }) => isDead,
  failing: ({ errors }) => errors > 0,
};

/** Lists what people press for `pf buttons [untested | dead | failing | WORDS]`. @returns what to print */
export async function runButtons(engines: Needs, words: readonly string[]): Promise<string> {
  const controls = await showButtons(deskOf(engines));
  const sought = words.join(' ').toLowerCase();
  const holds =
    (Object.hasOwn(kept, sought) ? kept[sought] : undefined) ??
    (({ id, procedures }: ControlRow) => `${id} ${procedures.join(' ')}`.toLowerCase().includes(sought));
  const counts = Object.entries(kept).map(([word, is]) => `${controls.filter(is).length} ${word}`);
  return [...controls.filter(holds).map(writeControl), `${controls.length} controls, ${counts.join(', ')}`].join('\n');
}

const writeControl = ({ id, procedures, calls, failedCalls, errors, passedAt, journeys, isDead }: ControlRow): string =>
  [
    id,
    ...(procedures.length === 0
      ? []
      : [`${procedures.join(', ')}: ${formatCount(calls, 'call')} in 30 days, ${failedCalls} failed`]),
    ...(errors === 0 ? [] : [`${formatCount(errors, 'error')} in 24 hours`]),
    ...(passedAt === null ? [] : [`last passed ${minuteOf(passedAt)}`]),
    ...(isDead ? ['dead'] : []),
    journeys.length === 0 ? 'untested' : `pressed by ${journeys.join(', ')}`,
  ].join('  ');
