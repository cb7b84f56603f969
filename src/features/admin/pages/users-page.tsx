import { useQuery } from '@tanstack/react-query';
import { Mail, UserSearch } from 'lucide-react';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminUsers } from '../admin-calls.tsx';
import { accountStates } from '../admin-words.ts';
import type { FoundAccount } from '../contract.ts';
import { SearchBox } from './search-box.tsx';
import { useSought } from './use-sought.ts';

export const meta = () => [{ title: 'People · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Finds people by whatever they can name: an address, a name, a receipt, a report. */
export default function UsersPage() {
  const [sought, search] = useSought();
  const query = useQuery(adminUsers.find.queryOptions({ input: { query: sought }, enabled: sought.length >= 2 }));
  return (
    <>
      <PageHeader title="People" />
      <SearchBox
        key={sought}
        label="Find someone"
        hint="Address, name, @handle, or the number of a receipt, order, report or support request."
        initial={sought}
        fewest={2}
        onSearch={search}
        busy={query.isFetching}
      />
      {sought.length >= 2 && (
        <Loaded query={query} label="Searching">
          {({ accounts, addresses }) =>
            accounts.length + addresses.length === 0 ? (
              <EmptyState icon={UserSearch} title="Nobody was found">
                Try a part of the address or the name. Whoever buys without an account is found by the whole address or
                by the receipt.
              </EmptyState>
            ) : (
              <List label="People">
                {accounts.map((account) => (
                  <li key={account.id}>
                    <AccountRow account={account} />
                  </li>
                ))}
                {addresses.map((address) => (
                  <li key={address}>
                    <Row
                      title={address}
                      to={`/admin/mails#${encodeURIComponent(address)}`}
                      mark={<Chip tone="plain">No account</Chip>}
                      quiet="Emails to this address"
                      start={<Mail className="size-5 flex-none text-quiet" />}
                    />
                  </li>
                ))}
              </List>
            )
          }
        </Loaded>
      )}
    </>
  );
}

function AccountRow({ account }: { account: FoundAccount }) {
  const { id, email, displayName, handle, status, createdAt } = account;
  const { word, tone } = accountStates[status] ?? { word: status, tone: 'plain' as const };
  return (
    <Row
      title={displayName === '' ? email : displayName}
      to={`/admin/users/${id}`}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={
        <>
          <span>{`${isolate(email)}${handle === null ? '' : ` · @${handle}`} · joined `}</span>
          <RelativeTime at={createdAt} />
        </>
      }
    />
  );
}
