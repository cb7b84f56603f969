import { useQuery } from '@tanstack/react-query';
import { Bug, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatCount, isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminOperations } from '../admin-calls.tsx';
import type { ErrorEntry, ErrorGroup } from '../operations-contract.ts';
import { SearchBox } from './search-box.tsx';
import { useSought } from './use-sought.ts';

export const meta = () => [{ title: 'Errors · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const spans = [
  { value: '1', label: 'A day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const;
type Span = (typeof spans)[number]['value'];

/** The error log: by the id that somebody was shown, and in groups. */
export default function DebugPage() {
  const [sought, search] = useSought();
  const [span, setSpan] = useState<Span>('1');
  const groups = useQuery(adminOperations.errors.queryOptions({ input: { days: Number(span) } }));
  return (
    <>
      <PageHeader title="Errors" />
      <SearchBox
        key={sought}
        label="Find what happened"
        hint="The id of a request or an error, or of an account."
        initial={sought}
        onSearch={search}
      />
      <div className="grid max-w-190 gap-8">
        {sought !== '' && <Found id={sought} />}
        <section>
          <SectionHeader title="What goes wrong">
            <Segmented label="Since" value={span} onChange={setSpan} options={spans} />
          </SectionHeader>
          <Loaded query={groups} label="Loading the errors">
            {(data) =>
              data.groups.length === 0 ? (
                <EmptyState icon={CircleCheck} title="No errors" />
              ) : (
                <List label="Errors">
                  {data.groups.map((group) => (
                    <li key={`${group.component} ${group.message}`}>
                      <GroupRow group={group} />
                    </li>
                  ))}
                </List>
              )
            }
          </Loaded>
        </section>
      </div>
    </>
  );
}

const tones = { warning: 'plain', error: 'ember', critical: 'rust' } as const;

function GroupRow({ group }: { group: ErrorGroup }) {
  const { component, message, severity, count, people, lastAt, requestId } = group;
  return (
    <Row
      title={message === '' ? component : message}
      {...(requestId !== null && { to: `/admin/debug#${encodeURIComponent(requestId)}` })}
      mark={<Chip tone={tones[severity]}>{severity}</Chip>}
      quiet={
        <>
          <span>{`${isolate(component)} · ${formatCount(people, 'person', 'people')} · last `}</span>
          <RelativeTime at={lastAt} />
        </>
      }
      end={<span>{`${count}×`}</span>}
    />
  );
}

function Found({ id }: { id: string }) {
  const query = useQuery(adminOperations.findErrors.queryOptions({ input: { id } }));
  return (
    <section>
      <SectionHeader title="Found" />
      <Loaded query={query} label="Searching the log">
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState icon={Bug} title="Nothing under this id">
              Errors are kept for 90 days. A request without an error leaves nothing here, and of many alike only some
              are kept.
            </EmptyState>
          ) : (
            <ul className="grid gap-3">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="mt-3 text-13">
        <Link
          className="inline-flex min-h-11 items-center font-medium text-plum"
          to={`/admin/audit#${encodeURIComponent(id)}`}
        >
          What was done under this id, in the audit log
        </Link>
      </p>
    </section>
  );
}

function Entry({ entry }: { entry: ErrorEntry }) {
  const { component, message, stack, severity, url, userAgent, requestId, at } = entry;
  return (
    <Card className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-strong wrap-anywhere">{isolate(message)}</span>
        <Chip tone={tones[severity]}>{severity}</Chip>
      </p>
      <p className="text-13 text-quiet wrap-anywhere">
        <span>{`${isolate(component)}${url === null ? '' : ` · ${isolate(url)}`}${requestId === null ? '' : ` · request ${isolate(requestId)}`} · `}</span>
        <RelativeTime at={at} />
      </p>
      {userAgent !== null && <p className="text-13 text-quiet wrap-anywhere">{isolate(userAgent)}</p>}
      {stack !== null && <pre className="max-h-60 overflow-auto rounded-control bg-paper p-3 text-13">{stack}</pre>}
    </Card>
  );
}
