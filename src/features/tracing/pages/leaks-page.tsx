import { useInfiniteQuery } from '@tanstack/react-query';
import { FileSearch, ImageOff } from 'lucide-react';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { Trace } from '../contract.ts';
import { describeOutcome, describeStep } from '../page-texts.ts';
import { CodeFinder } from './code-finder.tsx';
import { CopyUpload } from './copy-upload.tsx';
import { leaksOf, previewOf, tracing } from './trace-calls.tsx';

type Cursor = string | undefined;

/** The tab of an album where leaked copies are submitted, and what came of those before. */
export default function LeaksPage() {
  const { album } = useAlbum();
  return (
    <div className="grid gap-6">
      <CopyUpload albumId={album.id} albumName={album.name} title="Found a leak?">
        If a copy leaks, upload it here and we'll compare it with every link the photo or video was shown through. For
        whole photos, including screenshots and re-compressed or resized copies, we can usually tell which link it came
        from, with a computed chance of naming the wrong link below 1 in a million. For a video, we need about a minute.
      </CopyUpload>
      <CodeFinder />
      <section>
        <SectionHeader title="Submitted copies" />
        <Copies albumId={album.id} />
      </section>
    </div>
  );
}

function Copies({ albumId }: { albumId: string }) {
  useLive(['trace.', 'viewer.renamed', 'link.'], [tracing.list.key()]);
  const query = useInfiniteQuery(
    tracing.list.infiniteOptions({
      input: (cursor: Cursor) => ({ albumId, limit: 10, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as Cursor,
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  );
  if (query.isPending) return <SkeletonRows label="Loading copies" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const traces = query.data.pages.flatMap((page) => page.traces);
  if (traces.length === 0) return <p className="py-3 text-quiet">No copies checked yet.</p>;
  return (
    <>
      <List label="Submitted copies">
        {traces.map((trace) => (
          <li key={trace.id}>
            <CopyRow trace={trace} albumId={albumId} />
          </li>
        ))}
      </List>
      {query.hasNextPage && (
        <div className="mt-4 grid justify-items-center">
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            More copies
          </Button>
        </div>
      )}
    </>
  );
}

const tones = { traced: 'plum', probable: 'ember', inconclusive: 'plain', no_match: 'plain' } as const;

function CopyRow({ trace, albumId }: { trace: Trace; albumId: string }) {
  const now = useNow();
  const words = trace.sentence ?? trace.failText ?? describeStep(trace);
  return (
    <Row
      title={`Copy from ${formatMoment(trace.createdAt, now)}`}
      to={`${leaksOf(albumId)}/${trace.id}`}
      mark={trace.outcome && <Chip tone={tones[trace.outcome]}>{describeOutcome(trace)}</Chip>}
      story={trace.wasDisclosed ? `${words} Its codeword had already been disclosed.` : words}
      start={<Thumbnail trace={trace} />}
      end={
        <span className="text-13 text-quiet">
          <RelativeTime at={trace.createdAt} />
        </span>
      }
    />
  );
}

function Thumbnail({ trace: { id, hasPreview, state } }: { trace: Trace }) {
  if (hasPreview)
    return <img src={previewOf(id)} alt="" loading="lazy" className="size-12 flex-none rounded-control object-cover" />;
  const Icon = state === 'failed' ? ImageOff : FileSearch;
  return (
    <span className="grid size-12 flex-none place-items-center rounded-control bg-plum-wash text-plum">
      <Icon />
    </span>
  );
}
