import { ImageOff } from 'lucide-react';
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { cx } from '#ui/cx.ts';
import { type PreviewLoader, previewLoader, type Shown } from './browser/preview-loader.ts';

type ProtectedPhotoProps = {
  mediaId: string;
  rendition: 'thumb512' | 'p2048' | 'posterthumb' | 'poster';
  /** The photo's colours in some 25 bytes, base64; empty when there are none yet. */
  thumbhash: string;
  width: number | null;
  height: number | null;
  /** Empty when the words beside it say what it is. */
  alt: string;
  /** Its shape; without one it has the photo's own. `object-contain` shows it whole. */
  className?: string;
};

/** Where photos and videos come from that are looked at without a link. */
export interface MediaSource {
  loader: PreviewLoader;
  /** What is written over a video that plays. */
  mark: string;
  /** Where the playlist of a video is, and its keys. */
  listOf(mediaId: string): string;
  keysOf(mediaId: string): string;
}

/** The source of what stands below it; without one, pictures are the signed-in creator's own. */
export const MediaSourceContext = createContext<MediaSource | undefined>(undefined);

/** How far below and above the screen pictures are fetched already. */
const nearby = '300px 0px';
/** How far away they are given back. */
const farAway = '1000px 0px';

/** A photo that is looked at without a link, mostly a creator's own: the encrypted picture that viewers get, decrypted in a worker and drawn on a canvas; there is no address to copy. */
export function ProtectedPhoto({
  mediaId,
  rendition,
  thumbhash,
  width,
  height,
  alt,
  className = '',
}: ProtectedPhotoProps) {
  const place = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<Shown>();
  const source = useContext(MediaSourceContext);
  const colours = useMemo(() => drawColours(thumbhash), [thumbhash]);
  useEffect(() => {
    setShown(undefined);
    return place.current === null
      ? undefined
      : drawWhenNear(source?.loader ?? previewLoader(), place.current, { mediaId, rendition }, setShown);
  }, [source, mediaId, rendition]);
  const ownShape =
    className.includes('aspect-') || width === null || height === null ? undefined : `${width} / ${height}`;
  return (
    <figure
      ref={place}
      data-painted={shown === 'all' ? '' : undefined}
      {...(alt === ''
        ? { 'aria-hidden': true }
        : { role: 'img', 'aria-label': shown === 'failed' ? `${alt} (not loaded)` : alt })}
      style={ownShape === undefined ? undefined : { aspectRatio: ownShape }}
      className={cx(
        'relative overflow-hidden rounded-photo bg-line select-none [&>canvas]:absolute [&>canvas]:inset-0 [&>canvas]:size-full [&>canvas]:[object-fit:inherit]',
        '[&>canvas]:transition-[opacity,filter] [&>canvas]:duration-reveal',
        shown !== 'all' && '[&>canvas]:opacity-0 [&>canvas]:blur-xl',
        !className.includes('object-') && 'object-cover',
        className,
      )}
    >
      {colours && <img src={colours} alt="" className="absolute inset-0 size-full [object-fit:inherit]" />}
      {shown === 'failed' && (
        <span className="absolute inset-0 grid place-items-center text-quiet">
          <ImageOff className="size-6" />
        </span>
      )}
    </figure>
  );
}

/**
 * A canvas can be handed to the worker once, so each look gets a new one; one that is far from the screen is given back,
 * because a phone holds the pictures of a large album not all at once.
 * @returns takes it away
 */
function drawWhenNear(
  loader: PreviewLoader,
  place: HTMLElement,
  item: { mediaId: string; rendition: string },
  onShown: (shown: Shown | undefined) => void,
) {
  let clear: (() => void) | undefined;
  const draw = () => {
    const canvas = document.createElement('canvas');
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    place.append(canvas);
    const leave = loader.show(item, canvas, onShown);
    clear = () => {
      leave();
      canvas.remove();
      clear = undefined;
    };
  };
  const watch = (rootMargin: string, isSeen: (isInside: boolean) => void) => {
    const observer = new IntersectionObserver((entries) => isSeen(entries.at(-1)?.isIntersecting === true), {
      rootMargin,
    });
    observer.observe(place);
    return observer;
  };
  const near = watch(nearby, (isInside) => isInside && clear === undefined && draw());
  const far = watch(farAway, (isInside) => {
    if (isInside || clear === undefined) return;
    clear();
    onShown(undefined);
  });
  return () => {
    near.disconnect();
    far.disconnect();
    clear?.();
  };
}

/** A hash that cannot be read is a missing hash: the place stays plain. */
function drawColours(thumbhash: string): string | undefined {
  if (thumbhash === '') return undefined;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
