import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Select } from '#ui/forms/select.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { adminFunctions, adminOperations } from '../admin-calls.tsx';
import { FailedJobs, FailedMedia } from './failed-work.tsx';
import { FunctionList } from './function-list.tsx';
import { type Kept, keptWords, type Order, orderWords } from './function-order.ts';
import { QueueList } from './queue-list.tsx';

export const meta = () => [{ title: 'Functions · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const refreshMs = 10_000;
const refreshFiguresMs = 60_000;

const kinds = [
  { value: 'job', label: 'Jobs' },
  { value: 'procedure', label: 'API' },
  { value: 'route', label: 'Routes' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** What failed, each with a way to try again, and all that the server does when it is called or by itself. */
export default function FunctionsPage() {
  const jobs = useQuery(adminFunctions.queues.queryOptions({ input: {}, refetchInterval: refreshMs }));
  const media = useQuery(adminOperations.failedMedia.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Functions" />
      <div className="grid max-w-190 gap-8">
        <section>
          <SectionHeader title="Failed uploads" />
          <Loaded query={media} label="Loading failed uploads">
            {(data) => <FailedMedia media={data.media} />}
          </Loaded>
        </section>
        <section>
          <SectionHeader title="Failed jobs" />
          <Loaded query={jobs} label="Loading failed jobs">
            {({ failed }) => <FailedJobs failed={failed} />}
          </Loaded>
        </section>
        <Everything jobs={jobs} />
      </div>
    </>
  );
}

function Everything({ jobs }: { jobs: Parameters<typeof QueueList>[0]['query'] }) {
  const { me } = useMe();
  const functions = useQuery(adminFunctions.list.queryOptions({ input: {}, refetchInterval: refreshFiguresMs }));
  const [kind, setKind] = useState<Kind>('job');
  const [text, setText] = useState('');
  const [kept, setKept] = useState<Kept>('all');
  const [order, setOrder] = useState<Order>('name');
  const search = { text: text.trim().toLowerCase(), kept, order };
  return (
    <section className="grid gap-4">
      <SectionHeader title="Everything it does">
        <Segmented label="What is listed" options={kinds} value={kind} onChange={setKind} />
      </SectionHeader>
      <div className="grid gap-4 sm:grid-cols-3">
        <SearchField label="Search" value={text} onSearch={setText} />
        <Select label="Show" options={keptWords} value={kept} onChange={setKept} />
        <Select label="Order" options={orderWords} value={order} onChange={setOrder} />
      </div>
      {kind === 'job' ? (
        <QueueList query={jobs} search={search} isOwner={me?.adminScopes.includes('owner') === true} />
      ) : (
        <Loaded query={functions} label="Loading the functions">
          {(data) => <FunctionList rows={data.functions.filter((row) => row.kind === kind)} search={search} />}
        </Loaded>
      )}
      <p className="text-13 text-pretty text-quiet">
        Figures are of the last hour and the last 24 hours, in steps of ten minutes, and of all processes. A refusal is
        no error. Times are up to a fifth too long: half of the calls, and 95 of 100, took no longer. What was said to a
        function is never kept.
      </p>
    </section>
  );
}
