import type { Album } from '#features/albums/contract.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PeopleQuestion } from './people-question.tsx';

const words = {
  missing: {
    title: 'Not everyone shown has agreed yet',
    text: 'Nobody can open this album until they have. Your links say that it is unavailable.',
  },
  withdrawn: {
    title: 'Someone has withdrawn their consent',
    text: 'This album is locked: its links show nothing to anyone any more. Take out everything that shows this person and say so, or delete the album.',
  },
} as const;

/** Says over an album why nobody can open it, as far as consent is the reason; of one that has links already it asks who is shown. */
export function ConsentNotice({ album }: { album: Album }) {
  const { consentGap, peopleConsent, state, linkCount, id } = album;
  if (state === 'deleting') return null;
  if (peopleConsent === null && linkCount > 0)
    return (
      <div className="mb-5 max-w-140">
        <PeopleQuestion album={album} />
      </div>
    );
  if (consentGap === null || consentGap === 'unsaid') return null;
  const { title, text } = words[consentGap];
  return (
    <Card
      tone={consentGap === 'withdrawn' ? 'rust' : 'ember'}
      role="status"
      className="mb-5 grid max-w-140 justify-items-start gap-3"
    >
      <div className="grid gap-1">
        <h2 className="text-17 font-strong">{title}</h2>
        <p>{text}</p>
      </div>
      <ButtonLink to={`/albums/${id}/settings`} variant="outline">
        See who is shown
      </ButtonLink>
    </Card>
  );
}
