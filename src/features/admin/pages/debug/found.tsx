import { useQuery } from '@tanstack/react-query';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { adminDebug } from '../../admin-calls.tsx';
import { FoundErrors } from './found-errors.tsx';
import { LastRequests } from './last-requests.tsx';

/** What is known of an id or an address: of an account its last requests as well. */
export function Found({ sought }: { sought: string }) {
  const query = useQuery(adminDebug.requests.queryOptions({ input: { who: sought } }));
  return (
    <Loaded query={query} label="Searching">
      {({ account, requests }) => (
        <>
          {account !== null && <LastRequests account={account} requests={requests} />}
          <FoundErrors id={account?.id ?? sought} />
        </>
      )}
    </Loaded>
  );
}
