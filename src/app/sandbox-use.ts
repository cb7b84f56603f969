import type { Engines } from '#engines/engines.ts';
import {
  endDemoAccounts,
  endProofs,
  forgetDemoLink,
  listAdmins,
  revokeInvitations,
} from '#features/accounts/retiring-store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { forgetEmails } from '#features/notices/store.ts';
import { retireTestPayments } from '#features/orders/commands.ts';
import { endSandboxUse, findSandboxUse, noteSandboxUse } from '#features/settings/sandbox-use-store.ts';
import { formatCount } from '#kit/text.ts';

const system = { kind: 'system' } as const;

/**
 * Notes a start as a sandbox, and keeps a live one away from what a sandbox has left behind.
 * @throws a sentence that says what to do
 */
export async function checkSandboxUse({
  database,
  clock,
  installation,
}: Pick<Engines, 'database' | 'clock' | 'installation'>): Promise<void> {
  if (installation.isSandbox) return database.work(system, (tx) => noteSandboxUse(tx, new Date(clock())));
  if ((await database.work(system, findSandboxUse)) === undefined) return;
  throw new Error(
    'This installation was used as a sandbox: its demo accounts, sessions and test payments would work as if they were real. End them first: npm run pf -- retire-test-payments',
  );
}

/** `pf retire-test-payments`: ends what was paid with test cards, and in a sandbox whatever it has left. @returns what to print */
export async function retireSandbox(engines: Pick<Engines, 'database' | 'clock'>): Promise<string> {
  const payments = await retireTestPayments(engines);
  const left = await engines.database.work(system, async (tx) => {
    if (!(await endSandboxUse(tx))) return undefined;
    const { accounts, admins } = await endDemoAccounts(tx);
    await forgetDemoLink(tx);
    const invitations = await revokeInvitations(tx, new Date(engines.clock()));
    const [sessions, emails] = [await endProofs(tx), await forgetEmails(tx)];
    const details = { accounts, admins, sessions, emails, invitations };
    await insertAudit(tx, { actor: { type: 'system' }, action: 'installation.sandbox_retired', details });
    return { ...details, others: await listAdmins(tx) };
  });
  if (left === undefined) return payments;
  const { accounts, admins, sessions, invitations, others } = left;
  return [
    payments,
    `${formatCount(accounts, 'demo account')} suspended, ${formatCount(admins, 'administrator')} among them.`,
    `${formatCount(sessions, 'session')} ended, with every code and link in the emails of the sandbox: everybody signs in again.`,
    `${formatCount(invitations, 'invitation')} revoked.`,
    others.length === 0
      ? 'There is no administrator now. To make one: npm run pf -- admin EMAIL'
      : `Still an administrator: ${others.join(', ')}.`,
    'Start it live now: another start as a sandbox brings all of this back.',
  ].join('\n');
}
