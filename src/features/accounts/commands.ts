import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import { Email } from '#kit/email-address.ts';
import { isUuid } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { type AdminScope, adminScopes } from '#wire/promise.ts';
import {
  endInvitation,
  invitationLimits,
  invitationState,
  listMadeInvitations,
  makeInvitation,
} from './invitations.ts';
import { invitationDays } from './rules.ts';
import { hasSecondFactor } from './second-factor/second-factor-store.ts';
import { deleteSessionsOf } from './security-store.ts';
import { type Account, endAdmin, findAccountByEmail, listAdmins, makeAdmin } from './store.ts';
import { beginChangeFor, signOutEverywhere, takeSecondFactor } from './suspending.ts';

const system = { kind: 'system' } as const;
const by = { type: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'clock' | 'installation'>;

/** `pf invite LABEL --days N`, `pf invite list`, `pf invite revoke ID`, with what stands after its options. */
export interface InviteOrder {
  verb: string | undefined;
  id: string | undefined;
  days: string | undefined;
  places: string | undefined;
  openDays: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runInvite(engines: Needed, order: InviteOrder): Promise<string> {
  const { verb, id } = order;
  if (verb === undefined || verb.startsWith('--'))
    throw new Error('Say who it is for: `invite LABEL --days N`. `invite list` shows every invitation.');
  if (verb === 'list') return describeInvitations(engines);
  return verb === 'revoke' ? revoke(engines, id ?? '') : invite(engines, verb, order);
}

async function invite(
  { database, clock, installation }: Needed,
  label: string,
  { days, places, openDays }: InviteOrder,
): Promise<string> {
  if (label.trim() === '' || label.length > invitationLimits.label)
    throw new Error(`The label takes up to ${invitationLimits.label} characters.`);
  const freeDays = readFreeDays(days);
  const most = readWhole(places ?? '1', '--places', invitationLimits.places);
  const open = readWhole(openDays ?? String(invitationLimits.usualOpenDays), '--open', invitationLimits.openDays);
  const now = new Date(clock());
  const wanted = { label: label.trim(), note: '', days: freeDays, places: most, openDays: open };
  const { id, address, expiresAt } = await database.work(system, (tx) =>
    makeInvitation({ installation }, tx, { actor: by, now }, wanted),
  );
  return [
    address,
    `${formatCount(most, 'person', 'people')} can join by it until ${formatDay(expiresAt)}, ${describeFree(freeDays)}.`,
    `The link is shown this once. To end it: npm run pf -- invite revoke ${id}`,
  ].join('\n');
}

/** @throws for what no invitation gives */
function readFreeDays(days: string | undefined): number | null {
  if (days === 'forever') return null;
  const number = Number(days);
  if (!invitationDays.includes(number))
    throw new Error(`--days takes ${invitationDays.join(', ')} or forever: how long the account is free.`);
  return number;
}

/** @throws for anything but a whole number from 1 to `most` */
function readWhole(text: string, option: string, most: number): number {
  const number = Number(text);
  if (!/^\d{1,3}$/.test(text) || number < 1 || number > most)
    throw new Error(`${option} takes a whole number from 1 to ${most}.`);
  return number;
}

async function revoke({ database, clock }: Needed, id: string): Promise<string> {
  const isEnded =
    isUuid(id) && (await database.work(system, (tx) => endInvitation(tx, { actor: by, now: new Date(clock()) }, id)));
  if (!isEnded) throw new Error(`There is no invitation "${id}" to revoke. \`pf invite list\` shows them all.`);
  return 'Nobody can join by it any more. Those who have joined keep what it gave them.';
}

async function describeInvitations({ database, clock }: Needed): Promise<string> {
  const invitations = await database.work(system, listMadeInvitations);
  if (invitations.length === 0) return 'There are no invitations.';
  const now = new Date(clock());
  return invitations
    .flatMap((one) => [
      `  ${one.label}: ${one.taken} of ${formatCount(one.places, 'place')} taken, ${describeFree(one.days)}`,
      `    ${one.id}, ${describeState(one, now)}`,
    ])
    .join('\n');
}

const formatDay = (day: Date) => day.toISOString().slice(0, 10);
const describeFree = (days: number | null) =>
  days === null ? 'free for good' : `free for ${formatCount(days, 'day')}`;

function describeState(invitation: Parameters<typeof invitationState>[0], now: Date): string {
  const { revokedAt, expiresAt } = invitation;
  return {
    revoked: `revoked on ${formatDay(revokedAt ?? now)}`,
    used_up: 'used up',
    ended: `ended on ${formatDay(expiresAt)}`,
    open: `open until ${formatDay(expiresAt)}`,
  }[invitationState(invitation, now)];
}

/** `pf admin`, `pf admin EMAIL [--scopes …]`, `pf admin EMAIL --end`. */
export interface AdminOrder {
  email: string | undefined;
  /** Parted by commas; all of it when left out. */
  scopes?: string | undefined;
  isEnd?: boolean;
}

/** Lists administrators, makes somebody one, or takes that away. @returns what to print @throws a sentence that says what to do */
export async function runAdmin({ database }: Pick<Engines, 'database'>, order: AdminOrder): Promise<string> {
  const { email, isEnd = false } = order;
  if (email === undefined) return describeAdmins(await database.work(system, listAdmins));
  const scopes = readScopes(order.scopes ?? 'owner');
  return database.work(system, async (tx) => {
    const account = await findAccountByEmail(tx, email.toLowerCase());
    if (account === undefined)
      throw new Error(`No account has the address "${email}". Sign up first, then run this again.`);
    return isEnd ? endAdminRole(tx, account) : makeAdministrator(tx, account, scopes);
  });
}

/** @throws for what is no scope */
function readScopes(text: string): AdminScope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const known = adminScopes.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length !== new Set(scopes).size)
    throw new Error(`--scopes takes one or several of ${adminScopes.join(', ')}, parted by commas.`);
  return known;
}

async function makeAdministrator(tx: Tx, { id, email }: Account, scopes: readonly AdminScope[]): Promise<string> {
  await makeAdmin(tx, email, scopes);
  const details = { scopes: scopes.join(',') };
  await insertAudit(tx, { actor: by, action: 'role.admin', target: { type: 'user', id }, details });
  return (await hasSecondFactor(tx, id))
    ? `${email} is now an administrator. They are signed out wherever they signed in without their second step.`
    : `${email} is now an administrator, once they have set up two-step sign-in or a passkey: every page leads them there.`;
}

/** Every session ends: what is open as an administrator closes with it. */
async function endAdminRole(tx: Tx, { id, email }: Account): Promise<string> {
  if (!(await endAdmin(tx, id))) throw new Error(`${email} is no administrator.`);
  await deleteSessionsOf(tx, id);
  await insertAudit(tx, { actor: by, action: 'role.admin_ended', target: { type: 'user', id } });
  return `${email} is no administrator any more, and is signed out everywhere.`;
}

const describeAdmins = (admins: readonly { email: string; scopes: string[]; hasSecondFactor: boolean }[]) =>
  admins.length === 0
    ? 'Nobody is an administrator. `admin EMAIL` makes somebody one.'
    : admins
        .map(
          ({ email, scopes, hasSecondFactor: has }) =>
            `  ${email}: ${scopes.join(', ')}${has ? '' : ', without a second factor: they have no rights yet'}`,
        )
        .join('\n');

/** Arguments of `pf users sign-out EMAIL`, `pf users second-factor-off EMAIL` and `pf users change-email EMAIL NEW --reason TEXT`. */
export interface UsersOrder {
  verb: string | undefined;
  email: string | undefined;
  newEmail?: string | undefined;
  reason?: string | undefined;
}

/**
 * Signs somebody out everywhere, takes the second factor of somebody away who has lost the phone and every backup code, or begins a change of address for
 * somebody who has lost their mailbox.
 * @returns what to print @throws a sentence that says what is wrong
 */
export async function runUsers(
  engines: Pick<Engines, 'database' | 'jobs' | 'clock' | 'installation'>,
  { verb, email = '', newEmail = '', reason = '' }: UsersOrder,
): Promise<string> {
  if (!['second-factor-off', 'sign-out', 'change-email'].includes(verb ?? '') || email === '')
    throw new Error(
      'Say whose: `users sign-out EMAIL`, `users second-factor-off EMAIL` or `users change-email EMAIL NEW --reason "…"`. Make sure first that it is the owner who asks.',
    );
  const { database } = engines;
  return database.work({ kind: 'system' }, async (tx) => {
    const account = await findAccountByEmail(tx, email.trim().toLowerCase());
    if (account === undefined) throw new Error(`No account has the address "${email}".`);
    if (verb === 'sign-out') {
      await signOutEverywhere(tx, account.id, { actor: by });
      return `${plainLine(account.email)} was signed out everywhere.`;
    }
    if (verb === 'change-email') return changeEmailOf(engines, tx, account, { newEmail, reason });
    if (!(await takeSecondFactor(engines, tx, account, by)))
      throw new Error(`${plainLine(account.email)} has no second factor.`);
    return `${plainLine(account.email)} signs in with the password alone again. Every device was signed out, and an email says so.`;
  });
}

async function changeEmailOf(
  engines: Pick<Engines, 'jobs' | 'clock' | 'installation'>,
  tx: Tx,
  account: Account,
  { newEmail, reason }: { newEmail: string; reason: string },
): Promise<string> {
  const { data: email } = Email.safeParse(newEmail);
  if (email === undefined) throw new Error(`"${newEmail}" is no email address.`);
  if (reason.trim() === '' || reason.length > 500)
    throw new Error('Say with --reason "…" how you know that it is the owner, in at most 500 characters.');
  const fault = await beginChangeFor(engines, tx, account, { email, reason: reason.trim(), by });
  if (fault !== undefined) throw new Error(fault);
  return `A link is on its way to ${email}. Nothing changes before it is used; ${account.email} is told then, and can undo it.`;
}
