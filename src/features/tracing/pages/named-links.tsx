import { useQueryClient } from '@tanstack/react-query';
import { Ban, Undo2, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useRevoke } from '#features/links/use-revoke.tsx';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Certainty, NamedLink, NamedPerson, TraceDetail } from '../contract.ts';
import { describeName, describePlace, describeVisits } from '../page-texts.ts';
import { describePower } from '../verdict-texts.ts';
import { tracing } from './trace-calls.tsx';

/** The links that a copy points at, with those of their viewers who were shown the photo. */
export function NamedLinks({ trace: { links, ownLook } }: { trace: TraceDetail }) {
  return (
    <>
      {links.map((link) => (
        <LinkCard key={link.linkId} link={link} />
      ))}
      {ownLook && (
        <p className="text-quiet">
          <span>
            {ownLook.isSupport
              ? "The mark belongs to a view by support, not to anyone's link. "
              : "The mark belongs to your own view in the studio, not to anyone's link. "}
          </span>
          <CertaintyChip certainty={ownLook} />
        </p>
      )}
    </>
  );
}

function CertaintyChip({ certainty: { word, chancePower } }: { certainty: Certainty }) {
  return (
    <Chip tone={word === 'traced' ? 'plum' : 'ember'}>
      {`${word === 'traced' ? 'Traced' : 'Probable'}, below ${describePower(chancePower)}`}
    </Chip>
  );
}

function LinkCard({ link }: { link: NamedLink }) {
  const { linkId, linkName, recipientName, isRevoked, people, morePeople } = link;
  const [isAsking, setAsking] = useState(false);
  const { revoke, undo, isUndoing } = useRevoke();
  const name = linkName || 'Untitled Link';
  const isOpen = people.every(({ certainty }) => certainty === null);
  return (
    <Card className="grid gap-4" aria-label={`Link ${name}`}>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid justify-items-start gap-1.5">
          <h3 className="text-21">{name}</h3>
          {recipientName && !name.includes(recipientName) && (
            <p className="text-13 text-quiet">{`For ${isolate(recipientName)}`}</p>
          )}
          <CertaintyChip certainty={link} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isRevoked ? (
            <>
              <Chip tone="rust">Revoked</Chip>
              <Button variant="bare" icon={Undo2} busy={isUndoing} onClick={() => undo([linkId])}>
                Undo
              </Button>
            </>
          ) : (
            <Button variant="danger" icon={Ban} onClick={() => setAsking(true)}>
              Revoke link
            </Button>
          )}
          <ButtonLink variant="outline" to={`/magic-links/${linkId}`}>
            Open link
          </ButtonLink>
        </div>
      </header>
      {isOpen && people.length > 0 && (
        <p className="text-13 text-quiet">
          The link is identified by its own half of the mark. Which of these views the copy was made from isn't known.
        </p>
      )}
      <ul aria-label={`Viewers of ${isolate(name)}`} className="grid gap-3">
        {people.map((person) => (
          <Person key={person.viewerId} person={person} />
        ))}
      </ul>
      {morePeople > 0 && <p className="text-13 text-quiet">{`and ${morePeople.toLocaleString('en')} more`}</p>}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Revoke “${isolate(name)}”?`}
        description="Everyone looking through it loses access now. What has already been captured stays captured."
        confirm="Revoke link"
        danger
        onConfirm={() => {
          setAsking(false);
          revoke([linkId]);
        }}
      />
    </Card>
  );
}

function Person({ person }: { person: NamedPerson }) {
  const now = useNow();
  const { isOwn, isBlocked, certainty } = person;
  const shown = describeName(person);
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-t border-line pt-3">
      <Avatar name={shown} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-strong">
          <span>{shown}</span>
          {certainty && <CertaintyChip certainty={certainty} />}
          {isBlocked && <Chip tone="rust">Blocked</Chip>}
        </p>
        <p className="text-13">{describeVisits(person, now)}</p>
        <p className="text-13 text-quiet">{describePlace(person)}</p>
      </div>
      {!isOwn && <BlockButton person={person} />}
    </li>
  );
}

function BlockButton({ person: { viewerId, name, isBlocked } }: { person: NamedPerson }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const after = (words: string) => ({
    onSuccess: async () => {
      setAsking(false);
      await queries.invalidateQueries({ queryKey: tracing.one.key() });
      toast.success({ title: words });
    },
    onError: (error: Error) => toast.error({ title: 'Not changed', message: error.message }),
  });
  const block = useWrite(tracing.blockViewer.mutationOptions(after(`${isolate(name)} is blocked.`)));
  const unblock = useWrite(tracing.unblockViewer.mutationOptions(after(`${isolate(name)} is unblocked.`)));
  if (isBlocked)
    return (
      <Button variant="outline" busy={unblock.isPending} onClick={() => unblock.mutate({ viewerId })}>
        Unblock
      </Button>
    );
  return (
    <>
      <Button variant="outline" icon={UserRoundX} onClick={() => setAsking(true)}>
        Block viewer
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Block ${isolate(name)}?`}
        description="None of your links will open for this viewer, and anything they have open closes now. They could come back in another browser, so revoke the link too."
        confirm="Block viewer"
        danger
        busy={block.isPending}
        onConfirm={() => block.mutate({ viewerId })}
      />
    </>
  );
}
