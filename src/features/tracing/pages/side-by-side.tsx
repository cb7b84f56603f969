import { ImageOff } from 'lucide-react';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import type { Elements } from '#kit/elements.ts';
import { formatClock, formatCount } from '#kit/text.ts';
import type { FoundItem, TraceDetail } from '../contract.ts';
import { describeTiles } from '../page-texts.ts';
import { originalOf, previewOf } from './trace-calls.tsx';

/**
 * The leaked copy and, beside it at the same height, what was found in it first, with the tiles or seconds that were read; what
 * else was found stands below.
 */
export function SideBySide({ trace }: { trace: TraceDetail }) {
  const { leak, hasPreview, hasOriginal, items } = trace;
  const [first, ...others] = items;
  const picture = hasOriginal ? originalOf(trace.id) : undefined;
  const shapes = [hasPreview && leak ? shapeOf(leak.preview) : 0, first ? shapeOf(first) : 0];
  // Each as wide as its shape asks for: then both are equally high, and no higher than fits on a screen.
  const all = { '--shapes': shapes.reduce((sum, shape) => sum + shape, 0) } as object;
  return (
    <section aria-label="The copy and the original" className="grid gap-4">
      <div style={all} className="flex max-w-[calc(var(--spacing)*120*var(--shapes)+1rem)] items-start gap-3 sm:gap-4">
        {hasPreview && (
          <div style={{ flex: `${shapes[0] || 1} 1 0` }} className="min-w-0">
            <Copy trace={trace} isBeside={leak !== null} />
          </div>
        )}
        {first && (
          <div style={{ flex: `${shapes[1]} 1 0` }} className="min-w-0">
            <Original item={first} picture={picture} />
          </div>
        )}
      </div>
      {others.length > 0 && (
        <div className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-4">
          {others.map((item) => (
            <Original key={item.mediaId} item={item} picture={picture} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Width by height; what was deleted has a square in its place. */
const shapeOf = (size: { width: number; height: number; thumbhash?: string | null }) =>
  size.thumbhash === null ? 1 : size.width / size.height;

interface CopyProps {
  trace: TraceDetail;
  /** It fills its place beside the original, instead of being as large as it is. */
  isBeside?: boolean;
}

/** The copy, with a line around what was found in it. */
export function Copy({ trace: { id, hasPreview, leak, items }, isBeside = false }: CopyProps) {
  if (!hasPreview) return null;
  // A video lies in the clip itself, not on the pictures out of it.
  const outlined = leak?.stills ? items.filter(({ isMoving }) => !isMoving) : items;
  return (
    <Framed caption={leak?.stills ? `${formatCount(leak.stills, 'picture')} from the copy` : 'The copy'}>
      <div className={isBeside ? 'relative' : 'relative w-fit max-w-full'}>
        <Picture
          // Of a clip it is another picture now than while it was read, and a page keeps what it has shown under one address.
          src={leak ? `${previewOf(id)}?read` : previewOf(id)}
          alt={leak?.stills ? 'Pictures from the leaked copy' : 'The leaked copy'}
          size={leak?.preview}
          isSquare={outlined.length > 0}
          isBeside={isBeside}
        />
        {outlined.length > 0 && (
          // A line along the picture's edge is as wide as one within it; what lies outside the copy is not drawn.
          <div className="absolute -inset-0.5 overflow-hidden p-0.5">
            <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true" className="size-full overflow-visible">
              {outlined.map(({ mediaId, corners }) => (
                <polygon
                  key={mediaId}
                  points={corners.map(([x, y]) => `${x},${y}`).join(' ')}
                  vectorEffect="non-scaling-stroke"
                  className="fill-none stroke-ember stroke-2"
                />
              ))}
            </svg>
          </div>
        )}
      </div>
    </Framed>
  );
}

interface PictureProps {
  src: string;
  alt: string;
  /** Undefined while nobody knows it. */
  size: { width: number; height: number } | undefined;
  /** A line around all of it has its corners. */
  isSquare?: boolean;
  isBeside?: boolean;
}

/** A picture that has its place before it has come. */
function Picture({ src, alt, size, isSquare = false, isBeside = false }: PictureProps) {
  const shape = size && ({ '--width': `${size.width}px`, '--shape': size.width / size.height } as object);
  const width = isBeside ? 'w-full' : 'w-[min(var(--width),--spacing(120)*var(--shape))]';
  return (
    <img
      src={src}
      alt={alt}
      style={shape}
      className={`max-w-full bg-line ${isSquare ? '' : 'rounded-photo'} ${size ? `aspect-(--shape) ${width}` : 'max-h-120'}`}
    />
  );
}

/** @param picture the moment of a video that the copy shows */
function Original({ item, picture }: { item: FoundItem; picture: string | undefined }) {
  const words = describeTiles(item);
  return (
    <Framed caption={`Your ${item.kind}: ${words}`}>
      {item.thumbhash === null ? (
        <p className="grid aspect-square place-items-center gap-2 rounded-photo bg-line p-6 text-center text-quiet">
          <ImageOff />
          <span>{`This ${item.kind} has since been deleted.`}</span>
        </p>
      ) : item.isMoving ? (
        <div className="grid gap-2">
          {picture !== undefined && (
            <Picture src={picture} alt="The same moment of the original" size={item} isBeside />
          )}
          <Seconds item={item} />
        </div>
      ) : (
        <div className="relative">
          <ProtectedPhoto
            mediaId={item.mediaId}
            rendition={item.kind === 'video' ? 'poster' : 'p2048'}
            thumbhash={item.thumbhash}
            width={item.width}
            height={item.height}
            alt="The original"
          />
          {!item.isStill && <Tiles item={item} />}
        </div>
      )}
    </Framed>
  );
}

/** Milliseconds from one diagonal of tiles to the next. */
const stepMs = 28;

/** Tiles that were read light up, one diagonal after the other; those that were not stay in the dark. */
function Tiles({ item: { columns, rows, tiles } }: { item: FoundItem }) {
  return (
    <svg
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-hidden rounded-photo"
    >
      {tiles.map((isRead, tile) => {
        const [x, y] = [tile % columns, Math.floor(tile / columns)];
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a tile is its place
            key={tile}
            x={x}
            y={y}
            width="1"
            height="1"
            vectorEffect="non-scaling-stroke"
            data-read={isRead ? '' : undefined}
            fill="black"
            fillOpacity={isRead ? 0 : 0.6}
            stroke="white"
            strokeOpacity={isRead ? 0.25 : 0}
            {...(isRead && { className: 'animate-lit', style: { animationDelay: `${stepMs * (x + y)}ms` } })}
          />
        );
      })}
    </svg>
  );
}

/** A video from its beginning to its end: seconds that were read light up. */
function Seconds({ item: { tiles } }: { item: FoundItem }) {
  return (
    <div className="grid gap-1">
      <svg
        viewBox={`0 0 ${tiles.length} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-4 w-full overflow-hidden rounded-control bg-line"
      >
        {runsRead(tiles).map(([from, to]) => (
          <rect key={from} x={from} y="0" width={to - from} height="1" className="fill-ember" />
        ))}
      </svg>
      <p aria-hidden="true" className="flex justify-between text-13 text-quiet tabular-nums">
        <span>{formatClock(0)}</span>
        <span>{formatClock(1000 * tiles.length)}</span>
      </p>
    </div>
  );
}

/** First and behind the last of each run of seconds that were read. */
function runsRead(tiles: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const [n, isRead] of tiles.entries()) {
    const last = runs.at(-1);
    if (isRead && last?.[1] === n) last[1]++;
    else if (isRead) runs.push([n, n + 1]);
  }
  return runs;
}

function Framed({ caption, children }: { caption: string; children: Elements }) {
  return (
    <div className="grid min-w-0 content-start gap-2">
      {children}
      <p className="text-13 text-quiet">{caption}</p>
    </div>
  );
}
