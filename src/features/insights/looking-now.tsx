import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EyeOff, LayoutGrid } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { smallRenditionOf } from '#features/media/rules.ts';
import { formatDuration, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { LookingNow as Screen } from './contract.ts';
import { insights, viewing } from './insight-calls.tsx';
import { describeFrom, describeLink, describeScreen } from './insight-texts.ts';

/** Beats of a screen come every 15 s; one that went away without a word is noticed at the next look. */
const lookAgainMs = 15_000;

/** The screens that are open now, at one link or at all, kept true by the server's news. */
function useScreens(linkId: string | undefined) {
  const key = insights.lookingNow.key();
  useLive(['visit.', 'link.', 'viewer.'], [key]);
  return useQuery(
    insights.lookingNow.queryOptions({
      input: linkId === undefined ? {} : { linkId },
      refetchInterval: ({ state: { data } }) => (data !== undefined && data.screens.length > 0 ? lookAgainMs : false),
    }),
  );
}

/** Who is looking at this moment, with the exact picture, and the one thing to do about it; nothing while nobody is. */
export function LookingNow({ linkId }: { linkId?: string }) {
  const { data, dataUpdatedAt } = useScreens(linkId);
  const screens = data?.screens ?? [];
  return (
    <>
      <p role="status" className="sr-only">
        {screens.map(({ viewerName }) => `${isolate(viewerName)} is looking now.`).join(' ')}
      </p>
      {screens.length > 0 && (
        <section aria-label="Looking now" className="grid gap-3">
          {screens.map((screen) => (
            <ScreenCard key={screen.visitId} screen={screen} asOf={dataUpdatedAt} />
          ))}
        </section>
      )}
    </>
  );
}

function ScreenCard({ screen, asOf }: { screen: Screen; asOf: number }) {
  const { picture, viewerName, linkId } = screen;
  const looked = formatDuration(screen.lookedMs + 1000 * useSecondsSince(asOf));
  return (
    <Card tone="ember" className="@container flex items-center gap-4" data-testid="looking-now">
      {picture ? (
        <ProtectedPhoto
          mediaId={picture.mediaId}
          rendition={smallRenditionOf(picture.kind)}
          thumbhash={picture.thumbhash}
          width={picture.width}
          height={picture.height}
          alt={`The ${picture.kind} that ${isolate(viewerName)} sees`}
          className="aspect-4/5 w-16 flex-none self-start"
        />
      ) : (
        <span className="grid aspect-4/5 w-16 flex-none place-items-center self-start rounded-photo bg-plum-wash text-quiet">
          <LayoutGrid className="size-5" />
        </span>
      )}
      <div className="grid min-w-0 flex-1 gap-0.5 @lg:grid-cols-[1fr_auto] @lg:items-center @lg:gap-x-4">
        <div className="min-w-0">
          <p className="flex items-center gap-2.5 pl-1">
            <LiveDot />
            <Link to={`/magic-links/${linkId}`} className="touch-44 min-w-0 font-strong hover:text-plum">
              {`${isolate(viewerName)} is looking now`}
            </Link>
          </p>
          <p className="text-13 text-quiet tabular-nums">{`${describeScreen(screen)} · ${looked}`}</p>
          <p className="truncate text-13 text-quiet">
            {[viewerName === screen.recipientName ? '' : describeLink(screen), describeFrom(screen)]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <CloseScreen screen={screen} />
      </div>
    </Card>
  );
}

function CloseScreen({ screen: { visitId, viewerName } }: { screen: Screen }) {
  const queries = useQueryClient();
  const key = insights.lookingNow.queryKey();
  const close = useWrite(
    viewing.closeScreen.mutationOptions({
      onSuccess: () => {
        queries.setQueryData<{ screens: Screen[] }>(key, (known) => known && without(known.screens, visitId));
        toast.success({
          title: `${isolate(viewerName)}'s screen is closed`,
          message: 'The link still opens. Revoke it to stop that.',
        });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't close the screen", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: key }),
    }),
  );
  return (
    <Button
      variant="outline"
      icon={EyeOff}
      busy={close.isPending}
      onClick={() => close.mutate({ visitId })}
      className="mt-2.5 justify-self-start @lg:mt-0"
    >
      Close their screen
    </Button>
  );
}

const without = (screens: readonly Screen[], visitId: string) => ({
  screens: screens.filter((screen) => screen.visitId !== visitId),
});

/** Whole seconds that have gone by since an answer came. */
function useSecondsSince(asOf: number): number {
  const [seconds, setSeconds] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer begins a new count
  useEffect(() => {
    setSeconds(0);
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [asOf]);
  return seconds;
}
