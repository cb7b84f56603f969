import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type LockedAlbum, longestVerdict } from '#features/consents/desk-contract.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminConsents, adminOperations } from '../admin-calls.tsx';
import { VerdictDialog } from './verdict-dialog.tsx';

/** Albums that a withdrawn consent has locked, and whose creators say that the pictures are gone; nothing where there are none. */
export function LockedAlbums() {
  const query = useQuery(adminConsents.waiting.queryOptions({ input: {} }));
  return (
    <Loaded query={query} label="Loading the locked albums">
      {({ albums }) =>
        albums.length > 0 && (
          <section>
            <SectionHeader title="Locked albums" />
            <List label="Locked albums">
              {albums.map((album) => (
                <li key={album.personId}>
                  <AlbumRow album={album} />
                </li>
              ))}
            </List>
          </section>
        )
      }
    </Loaded>
  );
}

function AlbumRow({ album }: { album: LockedAlbum }) {
  const [isAsking, setAsking] = useState(false);
  const { creatorEmail, creatorId, picturesGoneAt, items, left } = album;
  return (
    <>
      <Row
        title={creatorEmail}
        to={`/admin/users/${creatorId}`}
        quiet={
          <>
            <span>{`Someone shown withdrew their consent. ${formatCount(items, 'item')} in the album, ${left} taken out since. Says so: `}</span>
            <RelativeTime at={picturesGoneAt} />
          </>
        }
        end={
          <Button variant="bare" onClick={() => setAsking(true)}>
            Decide
          </Button>
        }
      />
      {isAsking && <DecideAlbum album={album} onClose={() => setAsking(false)} />}
    </>
  );
}

const verdicts = {
  keep: {
    label: 'Something is left: keep it locked',
    about: 'It stays closed to everyone else. The creator can take more out and say so again, or delete it.',
    confirm: 'Keep locked',
    done: 'The album stays locked',
  },
  open: {
    label: 'The pictures are gone: take the lock off',
    about:
      'The withdrawal is settled. Their links show the album again once everyone shown has agreed, or the creator says that it shows only them.',
    confirm: 'Take lock off',
    done: 'The withdrawal is settled',
  },
};

function DecideAlbum({ album: { personId }, onClose }: { album: LockedAlbum; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <VerdictDialog
      title="What becomes of this album?"
      verdicts={verdicts}
      hint="The creator is mailed this."
      mostLetters={longestVerdict}
      onDecide={async (verdict, reason) => {
        const { isOpen } = await adminConsents.decide.call({ personId, isOpen: verdict === 'open', reason });
        toast.success({ title: isOpen ? 'The album is open again' : verdicts[verdict].done });
        onClose();
        await queries.invalidateQueries({ queryKey: adminConsents.key() });
        await queries.invalidateQueries({ queryKey: adminOperations.key() });
      }}
      onClose={onClose}
    />
  );
}
