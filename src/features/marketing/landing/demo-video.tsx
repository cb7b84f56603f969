import { Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { readConsent } from '#features/accounts/visitor.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { wakeVideo } from '../browser/demo-video.ts';
import type { Facts } from '../contract.ts';
import { builtInVideo } from '../demo-video.ts';

type Video = NonNullable<Facts['video']>;

/**
 * The demo video behind its facade, which has its size from the beginning. The video itself comes a second later
 * (`browser/demo-video.ts`), so that the page is there first.
 */
export function DemoVideo({ video }: { video: Video }) {
  const own = video.kind === 'file' ? video : video.fallback;
  const facade = useRef<HTMLDivElement>(null);
  useEffect(
    () => (facade.current === null ? undefined : wakeVideo(facade.current, readConsent(document.cookie) === 'yes')),
    [],
  );
  return (
    <div
      ref={facade}
      data-demo-video=""
      data-kind={video.kind}
      data-src={video.src}
      data-fallback={video.kind === 'embed' ? video.fallback?.src : undefined}
      data-poster={own?.poster}
      data-state="waiting"
      className="group dark relative mx-auto aspect-[854/480] w-full max-w-[854px] overflow-hidden rounded-sheet bg-paper text-ink shadow-soft"
    >
      <button
        type="button"
        data-play=""
        className="absolute inset-0 grid place-items-center group-data-[state=failed]:hidden group-data-[state=ready]:hidden"
      >
        {video.kind === 'file' && (
          <img
            src={video.poster}
            alt=""
            width="854"
            height="480"
            loading="lazy"
            className="absolute inset-0 size-full object-cover opacity-70"
          />
        )}
        <span className="relative grid size-18 place-items-center rounded-full bg-plum text-on-plum shadow-soft transition group-hover:scale-105">
          <Spinner className="hidden size-8 group-data-[state=loading]:block" />
          <Play className="ml-1 size-8 fill-current group-data-[state=loading]:hidden" />
        </span>
        <span className="sr-only">Play the demo video</span>
      </button>
      <p
        data-words=""
        role="status"
        className="absolute inset-x-5 bottom-5 text-center text-13 text-ink group-data-[state=ready]:hidden"
      >
        {video.kind === 'embed' && `Plays from ${new URL(video.src).host} when you tap it`}
      </p>
      {video.kind === 'file' && <WithoutScript poster={video.poster} />}
    </div>
  );
}

function WithoutScript({ poster }: { poster: string }) {
  return (
    <noscript>
      <video controls preload="none" poster={poster} src={builtInVideo.src} className="absolute inset-0 size-full">
        <track kind="captions" />
      </video>
    </noscript>
  );
}
