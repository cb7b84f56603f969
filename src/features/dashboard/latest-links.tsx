import { useInfiniteQuery } from '@tanstack/react-query';
import { Link2, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MagicLink } from '#features/links/contract.ts';
import { links } from '#features/links/link-calls.tsx';
import { LinkRow } from '#features/links/link-row.tsx';
import { type BrokeRules, RevokeDialog } from '#features/links/revoke-dialog.tsx';
import { AddressDialog } from '#features/links/sharing.tsx';
import { useRevoke } from '#features/links/use-revoke.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { List } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useLive } from '#wire/use-live.tsx';

const shownMax = 3;

/** The newest links as stories. A failing fetch is logged and leaves the list empty: the ways to all links and to a new one stay. */
export function LatestLinks() {
  useLive(['link.', 'visit.opened', 'visit.ended', 'visit.closed', 'album.'], [links.list.key()]);
  // The same form as the list of all links, so that a revocation is seen in both.
  const query = useInfiniteQuery(
    links.list.infiniteOptions({
      input: () => ({ limit: shownMax }),
      initialPageParam: undefined,
      getNextPageParam: () => undefined,
    }),
  );
  const latest = query.data?.pages.flatMap((page) => page.links) ?? [];
  const isEmpty = query.isSuccess && latest.length === 0;
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: what failed is logged, and nobody is interrupted for it
    if (query.error !== null) console.warn("Couldn't load your links.", query.error);
  }, [query.error]);
  return (
    <section>
      <SectionHeader title="Magic Links" more={{ to: '/magic-links', label: 'View All Links' }} />
      {query.isPending && <SkeletonRows label="Links are loading" />}
      {latest.length > 0 && <Rows latest={latest} />}
      {!isEmpty && (
        <ButtonLink to="/magic-links?new=1" variant="outline" icon={Plus} className="mt-3 w-full">
          Create Link
        </ButtonLink>
      )}
      {isEmpty && (
        <EmptyState
          icon={Link2}
          title="No links yet"
          action={
            <ButtonLink to="/magic-links?new=1" variant="outline">
              Create Link
            </ButtonLink>
          }
        >
          One link per person: see who's looking, and end access at any time.
        </EmptyState>
      )}
    </section>
  );
}

function Rows({ latest }: { latest: readonly MagicLink[] }) {
  const [address, setAddress] = useState<MagicLink>();
  const [asked, setAsked] = useState<readonly MagicLink[]>([]);
  const { revoke, undo } = useRevoke();
  const confirm = (brokeRules?: BrokeRules) => {
    revoke(
      asked.map(({ id }) => id),
      brokeRules,
    );
    setAsked([]);
  };
  return (
    <>
      <List label="Latest links">
        {latest.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            chosen={undefined}
            onRevoke={({ id }) => revoke([id])}
            onUndo={({ id }) => undo([id])}
            onShow={setAddress}
            onAskRevoke={(one) => setAsked([one])}
          />
        ))}
      </List>
      <AddressDialog link={address} onClose={() => setAddress(undefined)} />
      <RevokeDialog links={asked} onClose={() => setAsked([])} onConfirm={confirm} />
    </>
  );
}
