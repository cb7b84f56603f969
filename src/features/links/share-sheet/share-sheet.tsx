import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { albumsContract } from '#features/albums/contract.ts';
import { PeopleQuestions } from '#features/consents/people-question.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { isolate } from '#kit/text.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Sheet } from '#ui/dialogs/sheet.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Card } from '#ui/layout/card.tsx';
import { callsOf } from '#wire/client.ts';
import type { MagicLink } from '../contract.ts';
import { nameAlbums } from '../link-texts.ts';
import { describeOpeners } from '../offers/gate-texts.ts';
import { Policy } from '../policy.ts';
import { takeTips } from '../presets/album-default-rules.ts';
import { presets } from '../presets/presets-calls.tsx';
import type { LinkPreset } from '../presets/presets-contract.ts';
import { AddressDialog, PreviewLink } from '../sharing.tsx';
import { AlbumsWord, type SheetAlbum } from './albums-part.tsx';
import { PresetChips } from './preset-chips.tsx';
import { type SaleState, useSale } from './price-part.tsx';
import { describeNameReaders } from './protection-words.ts';
import { type RuleChange, RuleSentence } from './rule-sentence.tsx';
import { SheetActions } from './sheet-actions.tsx';
import { SheetExtras } from './sheet-extras.tsx';
import { type Draft, useDraft, useMaking } from './use-new-link.tsx';

const albumCalls = callsOf('albums', albumsContract);

const idsOf = (albums: readonly SheetAlbum[]) => albums.map(({ id }) => id);

/** A new link in two taps: the rule as a sentence, and one large button that makes the link and copies it. */
export function LinkSheet({ open, onClose, album }: { open: boolean; onClose: () => void; album?: SheetAlbum }) {
  return open ? <OpenSheet onClose={onClose} album={album} /> : null;
}

function OpenSheet({ onClose, album }: { onClose: () => void; album: SheetAlbum | undefined }) {
  const listed = useQuery(
    albumCalls.list.queryOptions({ input: { filter: 'ready', limit: 1 }, enabled: album === undefined }),
  );
  const own = useQuery(presets.list.queryOptions({ input: {} }));
  const sale = useSale();
  const albums = album ? [album] : listed.data?.albums;
  // Where its creator's own rules are not to be had, the sheet goes on without them.
  if (albums === undefined || own.isLoading || sale.isPending)
    return (
      <Sheet open onClose={onClose} title="New link">
        {listed.isError ? (
          <p className="text-rust">{listed.error.message}</p>
        ) : (
          <Spinner className="mx-auto my-10 size-6" />
        )}
      </Sheet>
    );
  if (albums[0] === undefined)
    return (
      <Sheet open onClose={onClose} title="New link" footer={<ButtonLink to="/albums?new=1">New Album</ButtonLink>}>
        <p>A link shows an album. Create one and add at least one picture first.</p>
      </Sheet>
    );
  const making = { first: albums[0], isFixed: album !== undefined, own: own.data?.presets ?? [], sale, onClose };
  return <Making {...making} />;
}

/** Returns what the sheet is: a link to come, or the one that was just made. */
function titleOf(made: MagicLink | undefined, album: SheetAlbum | undefined): string {
  const what = made ? 'Your link' : 'New link';
  return album ? `${what} to ${isolate(album.name)}` : what;
}

interface MakingProps {
  first: SheetAlbum;
  /** Opened from that album's own page. */
  isFixed: boolean;
  /** Rules of the creator's own. */
  own: readonly LinkPreset[];
  sale: SaleState;
  onClose: () => void;
}

function Making({ first, isFixed, own, sale, onClose }: MakingProps) {
  const { linkDefaultDays: defaultDays } = useMe().me?.limits ?? usualLimits;
  const begun = useDraft({ first, sale, defaultDays, own });
  const { draft, setDraft, albums } = begun;
  const { made, make, follow, isPending, asked, answer } = useMaking(draft, idsOf(albums));
  const [address, setAddress] = useState<MagicLink>();
  const change = (changed: RuleChange) => {
    begun.change(changed);
    follow(changed);
  };
  const chooser = <AlbumsWord chosen={albums} onChange={begun.show} />;
  return (
    <>
      <Sheet
        open
        onClose={onClose}
        title={titleOf(made, isFixed ? first : undefined)}
        footer={
          <SheetActions
            readers={describeNameReaders(draft.rules)}
            made={made}
            make={make}
            isPending={isPending}
            isNameless={draft.recipientName === '' && draft.linkName === ''}
            onPerson={(recipientName) => setDraft((before) => ({ ...before, recipientName }))}
            onShow={setAddress}
          />
        }
      >
        <div className="grid gap-5">
          {made === undefined && <PeopleQuestions albums={albums} />}
          <RuleSentence
            draft={draft}
            onChange={change}
            sale={{ ...sale, takesTips: takeTips(albums) }}
            shows={!isFixed && (made ? nameAlbums(made.albums) : chooser)}
            linkId={made?.id}
          />
          <Openers draft={draft} />
          {made === undefined && (
            <>
              <PresetChips draft={draft} sale={sale} albums={albums} own={own} onChange={change} />
              <SheetExtras
                draft={draft}
                onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
                onPassword={(password) => change({ password })}
                onRules={(rules) => change({ rules })}
              />
            </>
          )}
          {made && <PreviewLink linkId={made.id} />}
          <MarkNote name={draft.recipientName} />
        </div>
      </Sheet>
      <Over address={address} onClose={() => setAddress(undefined)} asked={asked} answer={answer} />
    </>
  );
}

interface OverProps {
  address: MagicLink | undefined;
  onClose: () => void;
  /** A question of the album, and its answer. */
  asked: string | undefined;
  answer: (isYes: boolean) => void;
}

/** What opens over the sheet. */
function Over({ address, onClose, asked, answer }: OverProps) {
  return (
    <>
      <AddressDialog link={address} onClose={onClose} />
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => answer(false)}
        title="Create an open link?"
        description={asked}
        confirm="Create link"
        onConfirm={() => answer(true)}
      />
    </>
  );
}

/** Who can really open it. */
function Openers({ draft: { rules, hasPassword } }: { draft: Draft }) {
  return <p className="-mt-2 text-quiet">{describeOpeners(Policy.parse({ ...rules, password: hasPassword }))}</p>;
}

/** What the mark is good for. @param name of the one person that the link is for; may be empty */
function MarkNote({ name }: { name: string }) {
  const isMarked = name ? `Everything ${isolate(name)} sees is marked.` : 'What each person sees carries its own mark.';
  return (
    <Card tone="sunk" className="flex items-center gap-3.5 px-4 py-3.5">
      <ShieldCheck className="size-5 flex-none" aria-hidden="true" />
      <p>{`${isMarked} If it leaks, you can find out which link it came from.`}</p>
    </Card>
  );
}
