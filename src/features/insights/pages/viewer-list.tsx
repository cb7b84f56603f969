import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { riskNames, riskTones } from '#features/security/event-texts.ts';
import { formatCount, formatDuration, formatMoney, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Field } from '#ui/forms/field.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Days, Viewer } from '../contract.ts';
import { insights } from '../insight-calls.tsx';
import { describeDispute, describeFrom } from '../insight-texts.ts';
import { DisputeChip } from './dispute-chip.tsx';
import { ViewerActions } from './viewer-actions.tsx';

/** The people who came in a span of days, each under a name that can be changed. */
export function ViewerList({ days }: { days: Days }) {
  const [renamed, setRenamed] = useState<Viewer>();
  useLive(['visit.opened', 'visit.ended', 'visit.closed', 'viewer.'], [insights.viewers.key()]);
  const query = useInfiniteQuery(
    insights.viewers.infiniteOptions({
      input: (cursor: string | undefined) => ({ days, limit: 8, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  if (query.isPending) return <SkeletonRows label="Viewers are loading" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const viewers = query.data?.pages.flatMap((page) => page.viewers) ?? [];
  if (viewers.length === 0) return <p className="py-6 text-quiet">No viewers in this period.</p>;
  return (
    <>
      <List label="Viewers">
        {viewers.map((viewer) => (
          <ViewerRow key={viewer.viewerId} viewer={viewer} onRename={setRenamed} />
        ))}
      </List>
      {query.hasNextPage && (
        <div className="mt-4 grid justify-items-center">
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            More viewers
          </Button>
        </div>
      )}
      {renamed && <NameDialog key={renamed.viewerId} viewer={renamed} onClose={() => setRenamed(undefined)} />}
    </>
  );
}

function ViewerRow({ viewer, onRename }: { viewer: Viewer; onRename: (viewer: Viewer) => void }) {
  const now = useNow();
  const { name, visits, watchMs, lastSeenAt, links, dispute, spentCents, currency } = viewer;
  const [first, ...others] = links;
  const link = first && (first.linkName || 'Untitled Link');
  const by = others.length > 0 ? formatCount(links.length, 'link') : link;
  return (
    <li>
      <Row
        title={name}
        quiet={[by === name ? '' : by, describeFrom(viewer)].filter(Boolean).join(' · ')}
        mark={<Mark viewer={viewer} />}
        story={[
          formatCount(visits, 'visit'),
          watchMs > 0 && formatDuration(watchMs),
          spentCents > 0 && `paid ${formatMoney(spentCents, currency.toUpperCase())} in all`,
          dispute !== null && describeDispute(dispute, now),
        ]
          .filter(Boolean)
          .join(' · ')}
        start={<Avatar name={name} />}
        end={
          <>
            <span className="text-13 text-quiet">
              <RelativeTime at={lastSeenAt} />
            </span>
            <IconButton
              icon={Pencil}
              label={`Name ${isolate(name)}`}
              onClick={() => onRename(viewer)}
              className="-mr-2"
            />
            <ViewerActions viewer={viewer} />
          </>
        }
      />
    </li>
  );
}

/** What matters most about somebody: that they are shut out, that their bank is asked, or what was noticed. */
function Mark({ viewer: { isBlocked, dispute, risk } }: { viewer: Viewer }) {
  if (isBlocked) return <Chip tone="rust">Blocked</Chip>;
  if (dispute !== null) return <DisputeChip />;
  if (risk === null || risk === 'low') return null;
  return <Chip tone={riskTones[risk]}>{`${riskNames[risk]} risk`}</Chip>;
}

/** A name of the creator's own for somebody; the viewer never sees it. */
function NameDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(viewer.isRenamed ? viewer.name : '');
  const rename = useWrite(
    insights.renameViewer.mutationOptions({
      onSuccess: onClose,
      onSettled: () => queries.invalidateQueries({ queryKey: insights.key() }),
    }),
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ viewerId: viewer.viewerId, name });
  };
  return (
    <Dialog open onClose={onClose} title={`Who is ${isolate(viewer.name)}?`} description="Only you see this name.">
      <form onSubmit={save} className="grid gap-4">
        <Field
          label="Name"
          value={name}
          maxLength={60}
          placeholder={viewer.name}
          hint={viewer.isRenamed ? 'Leave it empty to remove the name.' : undefined}
          error={rename.error?.message}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === '' && !viewer.isRenamed}>
          Save name
        </Button>
      </form>
    </Dialog>
  );
}
