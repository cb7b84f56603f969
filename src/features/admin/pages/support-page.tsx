import { useQuery } from '@tanstack/react-query';
import { LifeBuoy } from 'lucide-react';
import type { SupportCase } from '#features/support/desk-contract.ts';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminSupport } from '../admin-calls.tsx';
import { supportStates } from '../admin-words.ts';

export const meta = () => [{ title: 'Support · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What people wrote and nobody has closed, the oldest first. */
export default function SupportPage() {
  const query = useQuery(adminSupport.waiting.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Support" />
      <div className="max-w-190">
        <Loaded query={query} label="Loading the messages">
          {({ cases }) =>
            cases.length === 0 ? (
              <EmptyState icon={LifeBuoy} title="No messages wait">
                What people write on the contact page appears here.
              </EmptyState>
            ) : (
              <SupportList cases={cases} />
            )
          }
        </Loaded>
      </div>
    </>
  );
}

/** Requests as rows, each leading to all of it. */
export function SupportList({ cases }: { cases: readonly SupportCase[] }) {
  return (
    <List label="Messages">
      {cases.map(({ number, status, name, email, subject, createdAt }) => (
        <li key={number}>
          <Row
            title={subject}
            to={`/admin/support/${number}`}
            mark={<Chip tone={supportStates[status].tone}>{supportStates[status].word}</Chip>}
            quiet={
              <>
                <span>{`${number} · ${isolate(name)}, ${isolate(email)} · `}</span>
                <RelativeTime at={createdAt} />
              </>
            }
          />
        </li>
      ))}
    </List>
  );
}
