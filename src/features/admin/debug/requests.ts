import { noteAdminLook } from '#features/audit/admin-looks.ts';
import type { AdminContext } from '#wire/context.ts';
import type { AnsweredRequest } from '../debug-contract.ts';
import { readSearch } from '../users/search.ts';
import { findAccounts } from '../users/users-store.ts';

interface FoundRequests {
  account: { id: string; email: string } | null;
  requests: AnsweredRequest[];
}

/** Shows the last requests of the account with an id or address. That an administrator has looked at them is written down, once an hour. */
export async function showRequests(context: AdminContext, who: string): Promise<FoundRequests> {
  const search = readSearch(who);
  if (search.is !== 'id' && search.is !== 'address') return { account: null, requests: [] };
  const found = await context.asSystem((tx) => findAccounts(tx, search));
  const account = found.find(({ id, email }) =>
    search.is === 'id' ? id === search.id : email.toLowerCase() === search.address,
  );
  if (account === undefined) return { account: null, requests: [] };
  const { id, email } = account;
  await noteAdminLook(context, { action: 'requests.looked_at', target: { type: 'user', id } });
  return { account: { id, email }, requests: context.ownProcess.requestsOf(id) };
}
