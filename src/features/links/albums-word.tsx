import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { nameAlbums } from './link-words.ts';
import { Word } from './word.tsx';

interface AlbumsWordProps {
  albums: readonly { id: string; name: string }[];
  /** Never empty. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** "Golden hour" or "2 albums": what the link shows. */
export function AlbumsWord({ albums, chosen, onChange }: AlbumsWordProps) {
  const toggle = (id: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, id] : chosen.filter((other) => other !== id);
    if (next.length > 0) onChange(next);
  };
  return (
    <Word word={nameAlbums(albums.filter(({ id }) => chosen.includes(id)))} title="What it shows">
      {(close) => (
        <>
          <div className="max-h-80 overflow-y-auto">
            {albums.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={chosen.includes(id)}
                onChange={(isChosen) => toggle(id, isChosen)}
              />
            ))}
          </div>
          <Button onClick={close}>Done</Button>
        </>
      )}
    </Word>
  );
}
