import { Play } from 'lucide-react';
import { useContext, useEffect, useRef, useState } from 'react';
import { formatLength } from '#kit/text.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { canPlayVideos } from './browser/video-support.ts';
import { MediaSourceContext, ProtectedPhoto } from './protected-photo.tsx';

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
  const source = useContext(MediaSourceContext);
  const [phase, setPhase] = useState<Phase>('poster');
  const close = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => close.current?.(), []);
  const play = async () => {
    setPhase('loading');
    const { playOwnVideo } = await import('./browser/own-video.ts');
    // The dialog may have been closed meanwhile.
    if (place.current === null) return;
    close.current = playOwnVideo({
      listUrl: source?.listOf(mediaId) ?? `/api/media/${mediaId}/video/main.m3u8`,
      keysUrl: source?.keysOf(mediaId) ?? `/api/v1/media/${mediaId}/video-keys`,
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
        {phase === 'playing' && source !== undefined && <WrittenOver text={source.mark} />}
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

/** Who looks, all over the picture. */
function WrittenOver({ text }: { text: string }) {
  return (
    <p
      aria-hidden
      className="pointer-events-none absolute inset-0 z-10 flex flex-wrap content-around justify-around gap-6 overflow-hidden text-13 text-on-photo opacity-45 select-none"
    >
      {Array.from({ length: 12 }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <span key={n} className="-rotate-24">
          {text}
        </span>
      ))}
    </p>
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
