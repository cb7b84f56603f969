import { findWaitingAsk } from '#features/accounts/confirming.ts';
import { storageLimitOf } from '#features/accounts/rules.ts';
import { listSessions } from '#features/accounts/security-store.ts';
import { listStorageExtras } from '#features/accounts/storage-extras-store.ts';
import { noteAdminLook } from '#features/audit/admin-looks.ts';
import { sumCredits } from '#features/credits/ledger-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { deviceOf } from '#features/viewing/user-agent.ts';
import { formatDevice } from '#kit/text.ts';
import { type AdminContext, hasScope } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Desk } from '../acting.ts';
import type { AccountCard, FoundAccount } from '../contract.ts';
import { showMoney } from './money.ts';
import { listNotes } from './notes-store.ts';
import { listReportsAgainst, listReportsBy } from './reports-store.ts';
import { readSearch } from './search.ts';
import { findAccounts, findAddresses, findCard } from './users-store.ts';

/** Finds accounts, and addresses of people without one. */
export async function findPeople(
  { asSystem }: Desk,
  query: string,
): Promise<{ accounts: FoundAccount[]; addresses: string[] }> {
  const search = readSearch(query);
  return asSystem(async (tx) => ({
    accounts: await findAccounts(tx, search),
    addresses: await findAddresses(tx, search),
  }));
}

/**
 * Shows one account. That an administrator has looked at it is written down, once an hour.
 * @throws NOT_FOUND
 */
export async function showAccount(context: AdminContext, userId: string): Promise<AccountCard> {
  const { asSystem, engines, now, admin } = context;
  const settings = await settingsOf(engines);
  const found = await asSystem(async (tx) => {
    const row = await findCard(tx, userId, engines.payments.realm);
    if (row === undefined) return undefined;
    await noteAdminLook(context, { action: 'account.looked_at', target: { type: 'user', id: userId } });
    return {
      row,
      sessions: await listSessions(tx, userId, new Date(engines.clock())),
      ask: await findWaitingAsk(context, tx, userId),
      credits: await sumCredits(tx, engines.payments.realm, userId),
      extras: await listStorageExtras(tx, userId, now),
      reports: { against: await listReportsAgainst(tx, userId), by: await listReportsBy(tx, row.email) },
      // What money moves is for who sees to it.
      money: hasScope(admin.adminScopes, 'finance') ? await showMoney(context, tx, userId) : null,
      // What others have noted about them is for no owner of an account, an administrator included.
      notes: userId === admin.userId ? [] : await listNotes(tx, userId),
    };
  });
  if (found === undefined) throw refuse('NOT_FOUND');
  const { row, sessions, ask, credits, extras, notes, reports, money } = found;
  const storageExtraBytes = extras.reduce((sum, { bytes }) => sum + bytes, 0);
  const { subscriptionStatus, trialEndsAt, isFreeUser, freeUntil, isPaused, storageUsedBytes, salesCents } = row;
  const { albums, media, failedMedia, links, openReports, supportRequests, hasSuite, isBeta, ...person } = row;
  return {
    ...person,
    plan: { status: subscriptionStatus, trialEndsAt, isFree: isFreeUser, freeUntil, isPaused },
    storage: {
      usedBytes: storageUsedBytes,
      limitBytes: storageLimitOf(settings, { ...row, storageExtraBytes }, now),
    },
    counts: { albums, media, failedMedia, links, openReports, supportRequests },
    salesCents: money === null ? null : Number(salesCents),
    entitlements: { suite: hasSuite, beta: isBeta },
    credits: credits.balance,
    sessions: sessions.map(({ id, userAgent, country, createdAt, lastUsedAt }) => ({
      id,
      device: describeDevice(userAgent),
      country,
      createdAt,
      lastUsedAt,
    })),
    waitingFor: ask === undefined ? null : { purpose: ask.purpose, at: ask.at },
    notes,
    reports,
    money,
  };
}

function describeDevice(userAgent: string | null): string {
  const { browser = null, system = null } = deviceOf(userAgent ?? '');
  return formatDevice({ browser, system });
}
