import { useQuery } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { albumsContract } from '#features/albums/contract.ts';
import { PeopleQuestions } from '#features/consents/people-question.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { callsOf } from '#wire/client.ts';
import {
  describeDoubles,
  longestList,
  longestRecipient,
  mostNames,
  type ReadNames,
  readNames,
} from '../creating/bulk-rules.ts';
import { takeTips } from '../presets/album-default-rules.ts';
import { presets } from '../presets/presets-calls.tsx';
import type { LinkPreset } from '../presets/presets-contract.ts';
import { AlbumsWord, type SheetAlbum } from '../share-sheet/albums-part.tsx';
import { PresetChips } from '../share-sheet/preset-chips.tsx';
import { type SaleState, useSale } from '../share-sheet/price-part.tsx';
import { describeNameReaders } from '../share-sheet/protection-words.ts';
import { RuleSentence } from '../share-sheet/rule-sentence.tsx';
import { useDraft } from '../share-sheet/use-new-link.tsx';
import { BulkResult } from './bulk-result.tsx';
import { type MadeLink, useMakingMany } from './use-making-many.tsx';

export const meta = () => [{ title: 'Many links · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const albumCalls = callsOf('albums', albumsContract);

/** A link for each name of a pasted list, all under the same rules. */
export default function BulkPage() {
  const listed = useQuery(albumCalls.list.queryOptions({ input: { filter: 'ready', limit: 1 } }));
  const own = useQuery(presets.list.queryOptions({ input: {} }));
  const first = listed.data?.albums[0];
  const sale = useSale();
  const isWaiting = own.isLoading || sale.isPending;
  return (
    <>
      <PageHeader
        title="Many links"
        back={{ to: '/magic-links', label: 'Magic links' }}
        facts={`One link for each person, up to ${mostNames} at once. Each can be revoked by itself.`}
      />
      {(listed.isPending || isWaiting) && <SkeletonRows rows={3} label="Albums are loading" />}
      {listed.isError && listed.data === undefined && (
        <ErrorState error={listed.error} onRetry={() => void listed.refetch()} busy={listed.isRefetching} />
      )}
      {listed.data && first === undefined && (
        <EmptyState
          icon={Images}
          title="No album to share yet"
          action={<ButtonLink to="/albums?new=1">New Album</ButtonLink>}
        >
          A link shows an album. Create one and add at least one picture first.
        </EmptyState>
      )}
      {first && !isWaiting && <Making first={first} own={own.data?.presets ?? []} sale={sale} />}
    </>
  );
}

/** Why no links can be made of a list; nothing for one that is fine. */
function findFault({ doubles, tooLong, tooMany }: ReadNames): string | undefined {
  const [long] = tooLong;
  if (tooMany > 0) return `Up to ${mostNames} names at once: take ${formatCount(tooMany, 'name')} out.`;
  if (long !== undefined)
    return `“${isolate(long.slice(0, 20))}…” is too long: use at most ${longestRecipient} characters.`;
  return doubles.length > 0 ? describeDoubles(doubles) : undefined;
}

const namePeople = (count: number): string =>
  count === 0 ? 'each of them' : count === 1 ? 'one person' : `each of ${count} people`;

function NamesField({
  text,
  fault,
  readers,
  onChange,
}: {
  text: string;
  fault: string | undefined;
  readers: string;
  onChange: (text: string) => void;
}) {
  return (
    <Textarea
      label="Names"
      hint={`One a line, as you want to find them again. ${readers}`}
      rows={8}
      maxLength={longestList}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={fault}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface MakingProps {
  first: SheetAlbum;
  own: readonly LinkPreset[];
  sale: SaleState;
}

function Making({ first, own, sale }: MakingProps) {
  const { linkDefaultDays: defaultDays } = useMe().me?.limits ?? usualLimits;
  const [text, setText] = useState('');
  const { draft, change, albums, show } = useDraft({ first, own, sale, defaultDays });
  const [made, setMade] = useState<readonly MadeLink[]>();
  const { make, isPending, asked, cancel } = useMakingMany((links) => {
    setMade(links);
    setText('');
  });
  const read = readNames(text);
  const fault = findFault(read);
  const count = read.names.length;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void make(
      read.names,
      albums.map(({ id }) => id),
      draft,
    );
  };
  if (made !== undefined) return <BulkResult made={made} onAgain={() => setMade(undefined)} />;
  return (
    <form onSubmit={submit} className="grid max-w-160 gap-5">
      <PeopleQuestions albums={albums} />
      <NamesField text={text} fault={fault} readers={describeNameReaders(draft.rules)} onChange={setText} />
      <Card className="grid gap-4">
        <RuleSentence
          draft={draft}
          people={namePeople(count)}
          onChange={change}
          sale={{ ...sale, takesTips: takeTips(albums) }}
          shows={<AlbumsWord chosen={albums} onChange={show} />}
        />
        <PresetChips draft={draft} own={own} sale={sale} albums={albums} onChange={change} />
      </Card>
      <Button
        type="submit"
        size="large"
        busy={isPending}
        disabled={count === 0 || fault !== undefined}
        className="md:justify-self-start"
      >
        {count === 0 ? 'Make links' : `Make ${formatCount(count, 'link')}`}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        onClose={cancel}
        title="Create open links?"
        description={asked?.text}
        confirm="Create links"
        onConfirm={() => asked?.goOn()}
      />
    </form>
  );
}
