import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Album } from '#features/albums/contract.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useSayPeople } from './use-say-people.tsx';

type AskedAlbum = Pick<Album, 'id' | 'name'>;

/** Asks it of those of some albums of which it is not said, one after the other. */
export function PeopleQuestions({ albums }: { albums: readonly (AskedAlbum & Pick<Album, 'peopleConsent'>)[] }) {
  const [said, setSaid] = useState<readonly string[]>([]);
  const next = albums.find(({ id, peopleConsent }) => peopleConsent === null && !said.includes(id));
  return next && <PeopleQuestion key={next.id} album={next} onSaid={() => setSaid([...said, next.id])} />;
}

/** Asks once who is shown in an album. Others are named, and asked, on its own page. */
export function PeopleQuestion({ album, onSaid }: { album: AskedAlbum; onSaid?: () => void }) {
  const navigate = useNavigate();
  const say = useSayPeople();
  const choose = (peopleConsent: 'only_me' | 'others_with_consent') =>
    say.mutate(
      { albumId: album.id, peopleConsent },
      {
        onSuccess: async () => {
          onSaid?.();
          if (peopleConsent === 'others_with_consent') await navigate(`/albums/${album.id}/settings`);
        },
      },
    );
  return (
    <Card tone="ember" aria-label="Who is shown?" className="grid gap-3">
      <div className="grid gap-1">
        <h2 className="text-17 font-strong">{`Who is shown in “${isolate(album.name)}”?`}</h2>
        <p className="text-13 text-quiet">
          Everyone shown must be 18 or older and agree. Others get an email in which they say yes or no; links open once
          all of them have agreed.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={say.isPending && say.variables.peopleConsent === 'only_me'} onClick={() => choose('only_me')}>
          Only me
        </Button>
        <Button
          variant="outline"
          busy={say.isPending && say.variables.peopleConsent === 'others_with_consent'}
          onClick={() => choose('others_with_consent')}
        >
          Others too
        </Button>
      </div>
    </Card>
  );
}
