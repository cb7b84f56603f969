import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatLength } from '#kit/text.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { canPlayVideos } from './browser/video-support.ts';
import { ProtectedPhoto } from './protected-photo.tsx';

type OwnVideoProps = {
  mediaId: string;
  thumbhash: string;
  width: number;
  height: number;
  durationMs: number | null;
  alt: string;
};

type Phase = 'poster' | 'loading' | 'playing' | 'failed';

/** A creator's own video: its poster, and with a tap what viewers would see of it, encrypted and marked as for them. */
export function OwnVideo({ mediaId, thumbhash, width, height, durationMs, alt }: OwnVideoProps) {
  const place = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>('poster');
  const close = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => close.current?.(), []);
  const play = async () => {
    setPhase('loading');
    const { playOwnVideo } = await import('./browser/own-video.ts');
    // The dialog may have been closed meanwhile.
    if (place.current === null) return;
    close.current = playOwnVideo({
      mediaId,
      host: place.current,
      label: alt,
      onPlaying: () => setPhase('playing'),
      onFailed: () => setPhase('failed'),
    });
  };
  const start = () => void play().catch(() => setPhase('failed'));
  return (
    <div className="grid gap-2">
      <div
        ref={place}
        // As large as fits in half of the screen's height, whole; of a phone that lies on its side it may take nearly all.
        style={{
          aspectRatio: `${width} / ${height}`,
          width: `min(100%, max(50dvh, min(85dvh, 20rem)) * ${width / height})`,
        }}
        className="relative mx-auto overflow-hidden rounded-photo [&>video]:absolute [&>video]:inset-0 [&>video]:size-full [&>video]:object-cover [&>:focus-visible]:-outline-offset-3"
      >
        <ProtectedPhoto
          mediaId={mediaId}
          rendition="poster"
          thumbhash={thumbhash}
          width={width}
          height={height}
          alt={phase === 'playing' ? '' : alt}
        />
        {phase !== 'playing' && <Start phase={phase} durationMs={durationMs} onStart={start} />}
      </div>
      {phase === 'failed' && (
        <p role="alert" className="text-rust">
          This video couldn't be played. Please try again.
        </p>
      )}
    </div>
  );
}

function Start({ phase, durationMs, onStart }: { phase: Phase; durationMs: number | null; onStart: () => void }) {
  const [canPlay] = useState(() => canPlayVideos(globalThis as never));
  if (!canPlay)
    return (
      <p className="absolute inset-x-2 bottom-2 rounded-control bg-photo-shade p-2 text-center text-13 text-on-photo">
        Please update your browser to play videos.
      </p>
    );
  return (
    <>
      <button
        type="button"
        // It stays while the video is on its way, and so do the keys.
        aria-label="Play video"
        aria-disabled={phase === 'loading'}
        onClick={phase === 'loading' ? undefined : onStart}
        className="absolute inset-0 z-10 grid place-items-center rounded-photo text-on-photo"
      >
        <span className="grid size-16 place-items-center rounded-full bg-photo-shade">
          {phase === 'loading' ? <Spinner className="size-8" /> : <Play className="size-8 fill-current" />}
        </span>
      </button>
      <span role="status" className="sr-only">
        {phase === 'loading' && 'Loading…'}
      </span>
      {durationMs !== null && (
        <span className="pointer-events-none absolute right-2 bottom-2 z-10 rounded-full bg-photo-shade px-2 py-0.5 text-13 text-on-photo tabular-nums">
          {formatLength(durationMs)}
        </span>
      )}
    </>
  );
}
