import type Stripe from 'stripe';
import { type Books, SandboxError } from './books.ts';
import { newObjectId } from './objects.ts';
import { findObject } from './store.ts';

type Account = Stripe.V2.Core.Account;

export interface AccountWish {
  contact_email?: string | undefined;
  display_name?: string | undefined;
}

/** What a creator, or the provider about them, has said. */
type Onboarded = 'complete' | 'pending' | 'rejected';

const transfersOf = {
  complete: { status: 'active', status_details: [] },
  pending: { status: 'restricted', status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }] },
  rejected: { status: 'rejected', status_details: [{ code: 'rejected_other', resolution: 'contact_stripe' }] },
} as const;

function stateOf(said: Onboarded): Stripe.V2.Core.Account.Configuration {
  const { status, status_details } = transfersOf[said];
  const stripe_transfers = { status, status_details: [...status_details] };
  return { recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers } } } };
}

export async function makeAccount(books: Books, { contact_email, display_name }: AccountWish): Promise<Account> {
  const id = newObjectId('acct');
  const account: Account = {
    id,
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    closed: false,
    configuration: stateOf('pending'),
    ...(contact_email !== undefined && { contact_email }),
    created: new Date(books.now * 1000).toISOString(),
    dashboard: 'express',
    ...(display_name !== undefined && { display_name }),
    livemode: false,
    metadata: {},
  };
  await books.keep(account);
  await books.tellThin('v2.core.account.created', id);
  return account;
}

/** An answer holds only those large parts that were asked for. */
export function withIncluded(account: Account, include: readonly string[] = []): Account {
  const { configuration, ...rest } = account;
  const isAsked = (part: string) => include.some((asked) => asked === part || asked.startsWith(`${part}.`));
  return { ...rest, ...(configuration && isAsked('configuration') && { configuration }) };
}

/** What comes of the sandbox's page: all that is asked for, not yet, or that the provider won't have them. */
export async function answerOnboarding(books: Books, accountId: string, said: Onboarded): Promise<string> {
  const account = await books.find<Account>(accountId, 'account');
  const { return_url } = (await books.hiddenOf(accountId)) as { return_url?: string };
  if (return_url === undefined) throw new SandboxError(404, 'resource_missing', 'No onboarding was begun.');
  await books.keep({ ...account, configuration: stateOf(said) });
  await books.tellThin('v2.core.account[configuration.recipient].capability_status_updated', accountId);
  return return_url;
}

/** The account is closed, by its owner or by the provider. */
export async function closeAccount(books: Books, accountId: string): Promise<void> {
  const account = await books.find<Account>(accountId, 'account');
  await books.keep({ ...account, closed: true, configuration: stateOf('rejected') });
  await books.tellThin('v2.core.account.closed', accountId);
}

/** @throws SandboxError where a call is made for an account that is not connected, or not any more */
export async function checkConnected(books: Books, accountId: string): Promise<void> {
  const account = (await findObject(books.tx, accountId))?.body as Account | undefined;
  if (account?.object === 'v2.core.account' && account.closed !== true) return;
  const words = `The provided key does not have access to account '${accountId}' (or that account does not exist). Application access may have been revoked.`;
  throw new SandboxError(403, 'account_invalid', words);
}
