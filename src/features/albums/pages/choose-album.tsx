import type { Elements } from '#kit/elements.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { AlbumFinder } from '../album-finder.tsx';
import { describeCounts } from '../album-tile.tsx';
import type { Album } from '../contract.ts';

interface ChooseAlbumProps {
  title: string;
  /** What comes of it. */
  description: string;
  /** The album that the photos are in. */
  except?: string;
  onChoose: (album: Album) => void;
  onClose: () => void;
  /** Beside the albums: another way to have one. */
  children?: Elements;
}

/** Which of the other albums: one tap chooses. */
export function ChooseAlbum({ title, description, except, onChoose, onClose, children }: ChooseAlbumProps) {
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <AlbumFinder filter="all">
        {(found) => {
          const others = found.filter(({ id }) => id !== except);
          return others.length === 0 && found.length > 0 ? (
            <p className="py-4 text-quiet">
              There's no other album yet. Create one under Albums, then come back to your selection.
            </p>
          ) : (
            <ul>
              {others.map((album) => (
                <li key={album.id}>
                  <button
                    type="button"
                    className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 rounded-control px-3 py-2 text-left hover:bg-plum-wash"
                    onClick={() => onChoose(album)}
                  >
                    <span className="font-medium wrap-anywhere">{album.name}</span>
                    <span className="text-13 text-quiet">{describeCounts(album)}</span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </AlbumFinder>
      {children}
    </Dialog>
  );
}
