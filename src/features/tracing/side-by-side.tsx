import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import type { FoundItem, TraceDetail } from './contract.ts';
import { tellTiles } from './page-words.ts';
import { previewOf } from './trace-calls.tsx';

/** The leaked copy and, beside it, every photo that was found in it, with the tiles that were read. */
export function SideBySide({ trace }: { trace: TraceDetail }) {
  return (
    <section aria-label="The copy and the original" className="grid grid-cols-2 gap-3 sm:gap-4">
      <Copy trace={trace} />
      {trace.items.map((item) => (
        <Original key={item.mediaId} item={item} />
      ))}
    </section>
  );
}

/** The copy, with a line around what was found in it. */
export function Copy({ trace: { id, hasPreview, leak, items } }: { trace: TraceDetail }) {
  if (!hasPreview) return null;
  return (
    <Framed caption="The copy">
      <div className="relative w-fit">
        <img
          src={previewOf(id)}
          alt="The leaked copy"
          {...(leak && { width: leak.width, height: leak.height })}
          className="h-auto max-h-120 w-auto max-w-full rounded-photo bg-line"
        />
        {items.length > 0 && (
          <svg
            viewBox="0 0 1 1"
            preserveAspectRatio="none"
            aria-hidden="true"
            className="absolute inset-0 size-full overflow-hidden rounded-photo"
          >
            {items.map(({ mediaId, corners }) => (
              <polygon
                key={mediaId}
                points={corners.map(([x, y]) => `${x},${y}`).join(' ')}
                vectorEffect="non-scaling-stroke"
                className="fill-none stroke-ember stroke-2"
              />
            ))}
          </svg>
        )}
      </div>
    </Framed>
  );
}

function Original({ item }: { item: FoundItem }) {
  const words = tellTiles(item);
  return (
    <Framed caption={`Your photo: ${words}`}>
      {item.thumbhash === null ? (
        <p className="grid aspect-square place-items-center gap-2 rounded-photo bg-line p-6 text-center text-quiet">
          <ImageOff />
          This photo was deleted meanwhile.
        </p>
      ) : (
        <div className="relative">
          <ProtectedPhoto
            mediaId={item.mediaId}
            rendition="p2048"
            thumbhash={item.thumbhash}
            width={item.width}
            height={item.height}
            alt="The original"
          />
          <Tiles item={item} />
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

function Framed({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-2">
      {children}
      <p className="text-13 text-quiet">{caption}</p>
    </div>
  );
}
