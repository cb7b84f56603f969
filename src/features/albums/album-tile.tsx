import { Lock } from 'lucide-react';
import { Link } from 'react-router';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { smallRenditionOf } from '#features/media/rules.ts';
import { formatCount, formatMoney, formatPrice } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import type { Album } from './contract.ts';

/** What an album holds, in words. */
export function describeCounts({
  photoCount,
  videoCount,
  pendingCount,
}: Pick<Album, 'photoCount' | 'videoCount' | 'pendingCount'>): string {
  const parts = [
    photoCount > 0 || (videoCount === 0 && pendingCount === 0) ? formatCount(photoCount, 'photo') : '',
    videoCount > 0 ? formatCount(videoCount, 'video') : '',
    pendingCount > 0 ? `${pendingCount.toLocaleString('en')} being processed` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns how many links show an album, and what they have earned: "2 links · $45 earned". */
function describeLinks({ linkCount, earnedCents }: Album): string {
  const links = formatCount(linkCount, 'link');
  return earnedCents === 0 ? links : `${links} · ${formatMoney(earnedCents)} earned`;
}

/** An album as its cover: the picture speaks, name and counts stand below. */
export function AlbumTile({ album }: { album: Album }) {
  const { cover, name, state } = album;
  return (
    <Link to={`/albums/${album.id}`} className="group grid gap-2 rounded-photo">
      <span className="relative block overflow-hidden rounded-photo">
        {cover ? (
          <ProtectedPhoto
            mediaId={cover.mediaId}
            rendition={smallRenditionOf(cover.kind)}
            thumbhash={cover.thumbhash}
            width={cover.width}
            height={cover.height}
            alt=""
            className="aspect-4/5"
          />
        ) : (
          <span className="grid aspect-4/5 place-items-center rounded-photo border border-line border-dashed text-13 text-quiet">
            Empty
          </span>
        )}
        {album.isProtected && (
          <span className="absolute top-2 right-2 grid size-8 place-items-center rounded-full bg-photo-shade text-on-photo">
            <Lock className="size-4" aria-label="New links ask you first" />
          </span>
        )}
        {album.priceCents !== null && (
          <span className="absolute bottom-2 left-2 rounded-full bg-photo-shade px-2.5 py-1 text-13 text-on-photo tabular-nums">
            <span className="sr-only">Price: </span>
            <span>{formatPrice(album.priceCents)}</span>
          </span>
        )}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-strong group-hover:text-plum">{name}</span>
        <span className="flex items-center gap-2 text-13 text-quiet">
          <span>{describeCounts(album)}</span>
          {state !== 'ready' && <Chip tone={state === 'deleting' ? 'rust' : 'plain'}>{stateWords[state]}</Chip>}
        </span>
        {album.linkCount > 0 && <span className="block text-13 text-quiet tabular-nums">{describeLinks(album)}</span>}
      </span>
    </Link>
  );
}

const stateWords = {
  draft: 'Draft',
  ready: 'Ready',
  archived: 'Archived',
  locked: 'Locked',
  deleting: 'Deleted',
} as const;
