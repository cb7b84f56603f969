import { AlbumFinder } from '#features/albums/album-finder.tsx';
import type { Album } from '#features/albums/contract.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { nameAlbums } from '../link-texts.ts';
import type { AlbumDefaults } from '../presets/album-default-rules.ts';
import { Word } from './sentence-part.tsx';

export interface SheetAlbum extends AlbumDefaults {
  id: string;
  name: string;
  /** Null until its creator has said who is shown. */
  peopleConsent: Album['peopleConsent'];
}

interface AlbumsWordProps {
  /** Never empty. */
  chosen: readonly SheetAlbum[];
  onChange: (chosen: readonly SheetAlbum[]) => void;
}

/** "Golden hour" or "2 albums": what the link shows. */
export function AlbumsWord({ chosen, onChange }: AlbumsWordProps) {
  const toggle = (album: SheetAlbum, isChosen: boolean) => {
    const next = isChosen ? [...chosen, album] : chosen.filter(({ id }) => id !== album.id);
    if (next.length > 0) onChange(next);
  };
  return (
    <Word word={nameAlbums(chosen)} title="What it shows">
      {(close) => (
        <>
          <AlbumFinder filter="ready">
            {(found) =>
              found.map((album) => (
                <Checkbox
                  key={album.id}
                  label={album.name}
                  checked={chosen.some((one) => one.id === album.id)}
                  onChange={(isChosen) => toggle(album, isChosen)}
                />
              ))
            }
          </AlbumFinder>
          <Button onClick={close}>Done</Button>
        </>
      )}
    </Word>
  );
}
