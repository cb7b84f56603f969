import { Link2, Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { List } from '#ui/layout/list.tsx';
import type { LinkFilter, MagicLink } from '../contract.ts';
import { LinkRow } from '../link-row.tsx';
import { type BrokeRules, RevokeDialog } from '../revoke-dialog.tsx';
import { AddressDialog } from '../sharing.tsx';
import { useLinks } from '../use-links.tsx';
import { useRevoke } from '../use-revoke.tsx';
import { ChosenBar } from './chosen-bar.tsx';

const filterWords: Readonly<Record<LinkFilter, string>> = {
  all: 'All',
  active: 'Active',
  never_opened: 'Never opened',
  expired: 'Expired',
  revoked: 'Revoked',
};
const filters = Object.keys(filterWords) as LinkFilter[];

interface LinkListProps {
  albumId?: string;
  /** What can be done with all of them. */
  menu: Elements;
  onNew: () => void;
}

/** The links of a creator or of one album as stories, with filters, search and what can be done with several. */
export function LinkList({ albumId, menu, onNew }: LinkListProps) {
  const [filter, setFilter] = useState<LinkFilter>('all');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const query = useLinks(filter, useDeferredValue(words), albumId);
  const [first] = query.data?.pages ?? [];
  const shown = query.data?.pages.flatMap((page) => page.links) ?? [];
  if (query.isPending) return <SkeletonRows rows={5} label="Links are loading" />;
  if (query.isError && first === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  if (first?.counts.all === 0) return <NoLinks onNew={onNew} />;
  return (
    <>
      <div className="mb-4 grid gap-3 md:grid-cols-[minmax(0,1fr)_22rem] md:items-center">
        <Chips
          label="Which links"
          options={filters.map((value) => ({ value, label: filterWords[value], count: first?.counts[value] }))}
          value={filter}
          onChange={setFilter}
        />
        <div className="flex items-center gap-2">
          <SearchField
            label="Search links"
            placeholder="Search"
            className="flex-1 [&>label]:sr-only"
            value={words}
            onSearch={setWords}
          />
          <Button variant="outline" className="min-h-12" onClick={() => setChosen(chosen ? undefined : new Set())}>
            {chosen ? 'Done' : 'Select'}
          </Button>
          {menu}
        </div>
      </div>
      {shown.length === 0 ? (
        <p className="py-10 text-center text-quiet">No matches.</p>
      ) : (
        <Rows shown={shown} albumId={albumId} chosen={chosen} setChosen={setChosen} />
      )}
      {query.hasNextPage && (
        <div className="mt-6 grid justify-items-center">
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            More links
          </Button>
        </div>
      )}
    </>
  );
}

function NoLinks({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      icon={Link2}
      title="No links yet – share an album to make your first one"
      action={
        <Button icon={Plus} onClick={onNew}>
          New link
        </Button>
      }
    >
      One link per person: see who's looking, and end access at any time.
    </EmptyState>
  );
}

interface RowsProps {
  shown: readonly MagicLink[];
  albumId: string | undefined;
  chosen: ReadonlySet<string> | undefined;
  setChosen: (chosen: ReadonlySet<string> | undefined) => void;
}

function Rows({ shown, albumId, chosen, setChosen }: RowsProps) {
  const [address, setAddress] = useState<MagicLink>();
  const [asked, setAsked] = useState<readonly MagicLink[]>([]);
  const { revoke, undo } = useRevoke();
  const choose = (link: MagicLink) => (isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(link.id);
    else next.delete(link.id);
    setChosen(next);
  };
  const confirm = (brokeRules?: BrokeRules) => {
    revoke(
      asked.map(({ id }) => id),
      brokeRules,
    );
    setAsked([]);
    setChosen(undefined);
  };
  return (
    <>
      <List label="Magic links">
        {shown.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            albumId={albumId}
            onRevoke={({ id }) => revoke([id])}
            onUndo={({ id }) => undo([id])}
            onShow={setAddress}
            onAskRevoke={(one) => setAsked([one])}
            chosen={chosen && { isChosen: chosen.has(link.id), choose: choose(link) }}
          />
        ))}
      </List>
      {chosen && (
        <ChosenBar
          chosen={shown.filter(({ id }) => chosen.has(id))}
          onRevoke={setAsked}
          onDone={() => setChosen(undefined)}
        />
      )}
      <AddressDialog link={address} onClose={() => setAddress(undefined)} />
      <RevokeDialog links={asked} onClose={() => setAsked([])} onConfirm={confirm} />
    </>
  );
}
