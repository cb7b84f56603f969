import { useQuery } from '@tanstack/react-query';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Card } from '#ui/layout/card.tsx';
import { AddPerson } from './add-person.tsx';
import { consents } from './consent-calls.tsx';
import type { AlbumPeople } from './contract.ts';
import { PeopleQuestion } from './people-question.tsx';
import { PersonRow } from './person-row.tsx';
import { mostPeople } from './rules.ts';
import { useSayPeople } from './use-say-people.tsx';

/** Who is shown in the album of the frame, and whether they agree. */
export function PeopleCard() {
  const { album } = useAlbum();
  const query = useQuery(consents.list.queryOptions({ input: { albumId: album.id } }));
  if (query.isPending) return <SkeletonRows rows={1} label="Who is shown is loading" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  if (query.data.peopleConsent === null) return <PeopleQuestion album={album} />;
  return <Said albumId={album.id} isDeleted={album.state === 'deleting'} {...query.data} />;
}

type SaidProps = AlbumPeople & { albumId: string; isDeleted: boolean };

function Said({ albumId, isDeleted, peopleConsent, people }: SaidProps) {
  const say = useSayPeople();
  const choose = (value: 'only_me' | 'others_with_consent') => {
    if (value === 'only_me' && people.length > 0)
      return void toast.error({ title: 'Take everybody else off the list first' });
    say.mutate({ albumId, peopleConsent: value });
  };
  // What was chosen just now, before it is saved.
  const chosen = (say.isPending ? say.variables.peopleConsent : peopleConsent) ?? 'only_me';
  const isOthers = chosen === 'others_with_consent';
  return (
    <Card aria-label="Who is shown" className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-21">Who is shown</h2>
        <p className="text-13 text-quiet">
          Everyone shown must be 18 or older and agree. Whoever agreed can withdraw that at any time, which locks the
          album at once.
        </p>
      </div>
      <Segmented
        label="Who is shown"
        options={[
          { value: 'only_me', label: 'Only me' },
          { value: 'others_with_consent', label: 'Others too' },
        ]}
        value={chosen}
        onChange={choose}
      />
      {people.length > 0 && (
        <ul aria-label="People" className="grid gap-3">
          {people.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      )}
      {isOthers && people.length === 0 && (
        <p className="text-quiet">Name everyone who is shown besides you. Until then, nobody can open the album.</p>
      )}
      {isOthers && !isDeleted && people.length < mostPeople && <AddPerson albumId={albumId} />}
    </Card>
  );
}
