import { formatCount, isolate } from '#kit/text.ts';
import { Card } from '#ui/layout/card.tsx';
import type { ConsentRequest } from '../contract.ts';

/** Returns how much an album holds, in words. */
function describeItems({ photoCount, videoCount }: NonNullable<ConsentRequest['album']>): string {
  const parts = [
    photoCount > 0 || videoCount === 0 ? formatCount(photoCount, 'photo') : '',
    videoCount > 0 ? formatCount(videoCount, 'video') : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Who asks, for which album, and what is agreed to. */
export function RequestFacts({ request: { creatorName, album, name, words } }: { request: ConsentRequest }) {
  return (
    <Card className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <dt className="text-quiet">Asked by</dt>
        <dd className="wrap-break-word">{isolate(creatorName) || 'A creator'}</dd>
        <dt className="text-quiet">Album</dt>
        <dd className="wrap-break-word">{album === null ? 'Gone' : isolate(album.name)}</dd>
        {album && <dt className="text-quiet">Holds now</dt>}
        {album && <dd>{describeItems(album)}</dd>}
        <dt className="text-quiet">Names you</dt>
        <dd className="wrap-break-word">{isolate(name)}</dd>
      </dl>
      <div className="grid gap-2 border-t border-line pt-4">
        {words.split('\n').map((line) => (
          <p key={line} className="wrap-break-word">
            {line}
          </p>
        ))}
      </div>
    </Card>
  );
}
