import { ImageOff } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';

type PhotoTileProps = {
  alt: string;
  /** The photo's colours in some 25 bytes, base64. */
  thumbhash?: string | undefined;
  /** Where the picture is; left out while it is not there yet. */
  src?: string | undefined;
  /** What lies on the picture: its length, a check mark, an upload's ring. */
  children?: Elements;
  /** Its shape when it is not a square. */
  className?: string;
};

/** A photo's place: soft colours at once, the picture sharpening out of them when it comes. */
export function PhotoTile({ alt, thumbhash, src, children, className = 'aspect-square' }: PhotoTileProps) {
  const colours = useMemo(() => drawColours(thumbhash), [thumbhash]);
  const [shown, setShown] = useState<{ src: string; state: 'loaded' | 'failed' }>();
  const state = shown && shown.src === src ? shown.state : 'waiting';
  return (
    <figure className={cx('relative overflow-hidden rounded-photo bg-line', className)}>
      {colours && <img src={colours} alt="" className="absolute inset-0 size-full object-cover" />}
      {src && state !== 'failed' && (
        <img
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setShown({ src, state: 'loaded' })}
          onError={() => setShown({ src, state: 'failed' })}
          className={cx(
            'absolute inset-0 size-full object-cover transition-[opacity,filter] duration-reveal',
            state === 'waiting' && 'opacity-0 blur-xl',
          )}
        />
      )}
      {state === 'failed' && (
        <span
          role="img"
          aria-label={`${alt} (not loaded)`}
          className="absolute inset-0 grid place-items-center text-quiet"
        >
          <ImageOff className="size-6" />
        </span>
      )}
      {children}
    </figure>
  );
}

/** Words on a picture, bottom left, readable on any of them. */
export function PhotoCaption({ children }: { children: ReactNode }) {
  return (
    <figcaption className="absolute bottom-1.5 left-1.5 flex items-center gap-1 rounded-full bg-photo-shade px-2 py-0.5 text-13 font-medium text-on-photo tabular-nums">
      {children}
    </figcaption>
  );
}

/** A hash that cannot be read is a missing hash: the place stays plain. */
function drawColours(thumbhash: string | undefined): string | undefined {
  if (!thumbhash) return undefined;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
