import { FolderSearch } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Card } from '#ui/layout/card.tsx';
import { CopyCost, CopyFault, CopyInput, CopyProgress } from './copy-parts.tsx';
import { findSent, useCopy } from './use-copy.tsx';

/**
 * A copy of which nothing is in one album may be of another: it is compared with all of them at once. What showed nothing is not
 * kept, so the page sends it once more, and asks for it where it was submitted before a reload.
 */
export function CompareEverywhere({ albumId, traceId }: { albumId: string; traceId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { send, cancel, share, fault, costs, agree } = useCopy(albumId, () => ({}));
  const sent = findSent(traceId);
  return (
    <Card className="grid justify-items-start gap-3">
      <p className="max-w-160 text-quiet">
        {sent === undefined
          ? "It was only compared with this album. A copy that isn't found isn't kept, so choose the file again."
          : 'It was only compared with this album. It may be from another one.'}
      </p>
      {share === undefined ? (
        <Button icon={FolderSearch} onClick={() => (sent === undefined ? input.current?.click() : send([sent]))}>
          Compare with all my albums
        </Button>
      ) : (
        <div className="grid w-full gap-3">
          <CopyProgress share={share} cancel={cancel} />
        </div>
      )}
      <CopyInput ref={input} label="The same copy again" onChosen={(files) => void send(files)} />
      <CopyFault fault={fault} />
      <CopyCost costs={costs} agree={agree} />
    </Card>
  );
}
