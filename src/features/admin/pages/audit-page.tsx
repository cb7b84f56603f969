import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, ScrollText, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { type AuditCheckRow, type AuditRow, type AuditSearch, searchOf } from '#features/audit/desk-contract.ts';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { saveFile } from '#ui/save-file.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminAudit } from '../admin-calls.tsx';
import { SearchBox } from './search-box.tsx';
import { useSought } from './use-sought.ts';

export const meta = () => [{ title: 'Audit · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const actors = [
  { value: 'anyone', label: 'Anyone' },
  { value: 'admin', label: 'Admins' },
  { value: 'creator', label: 'Creators' },
  { value: 'viewer', label: 'Viewers' },
  { value: 'visitor', label: 'Visitors' },
  { value: 'system', label: 'By itself' },
] as const;
type Who = (typeof actors)[number]['value'];

/** What was done by whom, and whether the log is as it was written. */
export default function AuditPage() {
  const [sought, search] = useSought();
  const [who, setWho] = useState<Who>('anyone');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const wanted = {
    ...searchOf(sought),
    ...(who !== 'anyone' && { actor: who }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
  };
  return (
    <>
      <PageHeader title="Audit" />
      <Chain />
      <SearchBox
        key={sought}
        label="Find what was done"
        hint="The id of an account, a link or a request – or the beginning of an action, like link. or setting"
        initial={sought}
        onSearch={search}
        fewest={0}
      />
      <section className="max-w-190">
        <SectionHeader title="Entries" />
        <div className="mb-4 grid gap-4 sm:grid-cols-3">
          <Select label="By whom" value={who} onChange={setWho} options={actors} />
          <Field
            label="From"
            type="date"
            hint="In UTC"
            max={to}
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <Field
            label="To"
            type="date"
            hint="With this day"
            min={from}
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        </div>
        <Entries search={wanted} />
      </section>
    </>
  );
}

const busyMs = 2000;

function Chain() {
  const queries = useQueryClient();
  const query = useQuery(
    adminAudit.checks.queryOptions({
      input: {},
      refetchInterval: ({ state }) => (state.data?.checks[0]?.endedAt === null ? busyMs : false),
    }),
  );
  const check = useWrite(
    adminAudit.check.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'The check has begun' });
        setTimeout(() => void queries.invalidateQueries({ queryKey: adminAudit.checks.key() }), busyMs);
      },
      onError: (error) => {
        toast.error({ title: "Couldn't begin the check", message: Object.values(faultsOf(error))[0] });
      },
    }),
  );
  return (
    <section className="mb-8 max-w-190">
      <SectionHeader title="Is the log as it was written?">
        <Button variant="outline" icon={ShieldCheck} busy={check.isPending} onClick={() => check.mutate({})}>
          Check now
        </Button>
      </SectionHeader>
      <Loaded query={query} label="Loading the checks">
        {({ checks }) => <LastCheck check={checks[0]} />}
      </Loaded>
      <p className="mt-2 text-13 text-pretty text-quiet">
        Every five minutes new entries are sealed, each seal over the one before it. A check at night looks at every
        seal and every entry under one.
      </p>
    </section>
  );
}

function LastCheck({ check }: { check: AuditCheckRow | undefined }) {
  if (check === undefined) return <p>It has not been checked yet.</p>;
  const { endedAt, fault, entries, seals } = check;
  if (endedAt === null) return <p role="status">Every seal is being looked at…</p>;
  const reach = `${formatCount(entries, 'entry', 'entries')} under ${formatCount(seals, 'seal')}`;
  return (
    <div role="status" className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone={fault === null ? 'moss' : 'rust'}>{fault === null ? 'As it was written' : 'Changed'}</Chip>
        <span className="text-13 text-quiet">
          <span>{`${reach} · checked `}</span>
          <RelativeTime at={endedAt} />
        </span>
      </p>
      {fault !== null && <p className="text-pretty">{fault}</p>}
    </div>
  );
}

type Cursor = number | undefined;

function Entries({ search }: { search: AuditSearch }) {
  const query = useInfiniteQuery(
    adminAudit.find.infiniteOptions({
      input: (before: Cursor) => ({ ...search, ...(before !== undefined && { before }) }),
      initialPageParam: undefined as Cursor,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  );
  if (query.isPending) return <SkeletonRows label="Loading entries" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const entries = query.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0)
    return (
      <EmptyState icon={ScrollText} title="Nothing was found">
        Entries are kept for 24 months.
      </EmptyState>
    );
  return (
    <>
      <List label="Entries of the audit log">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </List>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {query.hasNextPage && (
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Older entries
          </Button>
        )}
        <Export search={search} />
      </div>
    </>
  );
}

function Export({ search }: { search: AuditSearch }) {
  const save = useWrite(
    adminAudit.export.mutationOptions({
      onSuccess: ({ csv, entries, isCut }) => {
        saveFile(new Blob([csv], { type: 'text/csv' }), 'audit.csv');
        const reach = formatCount(entries, 'entry', 'entries');
        toast.success({ title: isCut ? `Only the newest ${reach} are in the file` : `${reach} exported` });
      },
      onError: (error) => {
        toast.error({ title: "Couldn't export", message: Object.values(faultsOf(error))[0] });
      },
    }),
  );
  return (
    <Button variant="outline" icon={Download} busy={save.isPending} onClick={() => save.mutate(search)}>
      Export as CSV
    </Button>
  );
}

function Entry({ entry }: { entry: AuditRow }) {
  const { action, actor, actorId, at, targetType, targetId, requestId, details } = entry;
  const ids = [
    ...(actorId === null ? [] : [`${actor} ${actorId}`]),
    ...(targetId === null ? [] : [`${targetType ?? 'target'} ${targetId}`]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ];
  return (
    <div className="grid gap-1 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-strong wrap-anywhere">{isolate(action)}</span>
        <span className="flex items-center gap-2 text-13 text-quiet">
          <RelativeTime at={at} />
          <Chip tone={actor === 'admin' ? 'plum' : 'plain'}>{actor}</Chip>
        </span>
      </p>
      {Object.keys(details).length > 0 && <p className="text-13 wrap-anywhere">{describeDetails(details)}</p>}
      {ids.length > 0 && <p className="text-13 wrap-anywhere text-quiet">{ids.join(' · ')}</p>}
    </div>
  );
}

/** What changed: "limits.albums: 100 → 200" where both are known, else every word that was kept. */
function describeDetails({ key, before, value, ...rest }: AuditRow['details']): string {
  const isChange = before !== undefined && value !== undefined;
  const others = isChange
    ? rest
    : {
        ...(key !== undefined && { key }),
        ...(before !== undefined && { before }),
        ...(value !== undefined && { value }),
        ...rest,
      };
  const words = Object.entries(others).map(([name, what]) => `${name}: ${isolate(String(what))}`);
  return [...(isChange ? [`${key ?? 'value'}: ${before} → ${value}`] : []), ...words].join(' · ');
}
