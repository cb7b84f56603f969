import { useState } from 'react';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import { consents } from './consent-calls.tsx';
import type { ConsentState, CoPerformer } from './contract.ts';
import { usePeopleSaved } from './use-say-people.tsx';

const chips: Readonly<Record<ConsentState, { tone: 'plain' | 'moss' | 'rust'; word: string; said: string }>> = {
  requested: { tone: 'plain', word: 'Waiting', said: 'Asked' },
  given: { tone: 'moss', word: 'Agreed', said: 'Agreed' },
  refused: { tone: 'rust', word: 'Said no', said: 'Said no' },
  withdrawn: { tone: 'rust', word: 'Withdrawn', said: 'Withdrew' },
};

/** Somebody who is shown: what they said, and what can be done. */
export function PersonRow({ person }: { person: CoPerformer }) {
  const now = useNow();
  const { name, email, state, at } = person;
  const { tone, word, said } = chips[state];
  return (
    <li className="grid gap-2 rounded-control border border-line p-3.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate font-strong">{name}</span>
        <Chip tone={tone}>{word}</Chip>
      </div>
      <p className="min-w-0 text-13 wrap-break-word text-quiet">
        {email === null ? `${said} ${formatMoment(at, now)}` : `${email} · ${said} ${formatMoment(at, now)}`}
      </p>
      <PersonActions person={person} />
    </li>
  );
}

function PersonActions({ person }: { person: CoPerformer }) {
  const saved = usePeopleSaved();
  const { onSuccess } = saved;
  const resend = useWrite(
    consents.resend.mutationOptions({
      ...saved,
      onSuccess: async () => {
        await onSuccess();
        toast.success({ title: 'Request sent' });
      },
    }),
  );
  const input = { coPerformerId: person.id };
  if (person.state === 'withdrawn') return <PicturesGone person={person} />;
  return (
    <div className="-mb-1.5 -ml-2.5 flex flex-wrap gap-1">
      {person.state === 'requested' && (
        <Button variant="bare" busy={resend.isPending} onClick={() => resend.mutate(input)}>
          Send again
        </Button>
      )}
      <Remove person={person} />
    </div>
  );
}

/** Takes somebody off the album who isn't shown. */
function Remove({ person }: { person: CoPerformer }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite(consents.remove.mutationOptions(usePeopleSaved()));
  return (
    <>
      <Button variant="bare" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Remove ${isolate(person.name)}?`}
        description="Only if nothing in this album shows them any more. Take those pictures out first."
        confirm="Not shown any more"
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ coPerformerId: person.id }, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}

/** What is left after a withdrawal: the pictures go out, and somebody looks. */
function PicturesGone({ person }: { person: CoPerformer }) {
  const [isAsking, setAsking] = useState(false);
  const say = useWrite(consents.sayPicturesGone.mutationOptions(usePeopleSaved()));
  if (person.picturesGoneAt !== null)
    return <p>You said that everything that shows them is out. We look at it, and you are told by email.</p>;
  return (
    <>
      <p>The album is locked. Take out everything that shows them, then say so. Or delete the album below.</p>
      <Button variant="outline" onClick={() => setAsking(true)} className="justify-self-start">
        Their pictures are out
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Is everything out that shows ${isolate(person.name)}?`}
        description="Someone looks at the album before it opens again."
        confirm="Yes, it is out"
        busy={say.isPending}
        onConfirm={() => say.mutate({ coPerformerId: person.id }, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
