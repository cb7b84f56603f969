import type Stripe from 'stripe';
import { type Books, SandboxError } from './books.ts';
import { newObjectId } from './objects.ts';

type Account = Stripe.V2.Core.Account;

export interface AccountWish {
  contact_email?: string | undefined;
  display_name?: string | undefined;
}

const stateOf = (isReady: boolean): Stripe.V2.Core.Account.Configuration => ({
  recipient: {
    applied: true,
    capabilities: {
      stripe_balance: {
        stripe_transfers: isReady
          ? { status: 'active', status_details: [] }
          : { status: 'restricted', status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }] },
      },
    },
  },
});

export async function makeAccount(books: Books, { contact_email, display_name }: AccountWish): Promise<Account> {
  const id = newObjectId('acct');
  const account: Account = {
    id,
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    closed: false,
    configuration: stateOf(false),
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

/** What a creator answers on the sandbox's page: all that is asked for, or not yet. */
export async function answerOnboarding(books: Books, accountId: string, isComplete: boolean): Promise<string> {
  const account = await books.find<Account>(accountId, 'account');
  const { return_url } = (await books.hiddenOf(accountId)) as { return_url?: string };
  if (return_url === undefined) throw new SandboxError(404, 'resource_missing', 'No onboarding was begun.');
  await books.keep({ ...account, configuration: stateOf(isComplete) });
  await books.tellThin('v2.core.account[configuration.recipient].capability_status_updated', accountId);
  return return_url;
}
