import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, Copy, FileSearch, KeyRound, Link2Off, QrCode, Share2, Signature, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Outlet, useParams } from 'react-router';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { wholeParts } from '#ui/layout/whole-parts.ts';
import { showAnswer } from '#wire/refresh-queries.ts';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { MagicLink } from '../contract.ts';
import { links } from '../link-calls.tsx';
import { LinkBadge } from '../link-row.tsx';
import { describeSecondState, describeStory, describeWhat, nameLink } from '../link-texts.ts';
import { describeOpeners } from '../offers/gate-texts.ts';
import { type BrokeRules, RevokeDialog } from '../revoke-dialog.tsx';
import { canUndo } from '../rules.ts';
import { AddRule } from '../share-sheet/add-rule.tsx';
import { PasswordWord } from '../share-sheet/person-parts.tsx';
import { useSale } from '../share-sheet/price-part.tsx';
import { type RuleChange, RuleSentence } from '../share-sheet/rule-sentence.tsx';
import { AddressDialog, canShare, copyLink, PreviewLink, shareLink } from '../sharing.tsx';
import { useRevoke } from '../use-revoke.tsx';
import { Acceptances } from './acceptances.tsx';
import { LinkDetails } from './link-details.tsx';
import { RuleHistory } from './rule-history.tsx';

export const meta = () => [{ title: 'Magic link · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const lookAgainMs = 20_000;

/** One link: its rule, its story, what can be done with it; visits and what was looked at stand in the outlet. */
export default function LinkPage() {
  const { linkId = '' } = useParams();
  const query = useQuery({
    ...links.one.queryOptions({ input: { linkId } }),
    refetchInterval: ({ state: { data } }) => (data?.isLookingNow ? lookAgainMs : false),
  });
  useLive(['link.', 'visit.opened', 'visit.ended', 'album.'], [links.one.key({ input: { linkId } })]);
  if (query.isPending)
    return (
      <div className="grid gap-4" aria-busy="true">
        <Skeleton className="h-10 w-64" />
        <Skeleton className="h-48 w-full rounded-card" />
      </div>
    );
  if (query.isError && query.data === undefined) {
    const status = 'status' in query.error ? query.error.status : 0;
    if (status === 404 || status === 422) return <NoSuchLink />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  }
  return <OneLink link={query.data} />;
}

function NoSuchLink() {
  return (
    <EmptyState
      icon={Link2Off}
      title="This link doesn't exist, or isn't yours"
      action={<ButtonLink to="/magic-links">Magic links</ButtonLink>}
    />
  );
}

function OneLink({ link }: { link: MagicLink }) {
  const queries = useQueryClient();
  const update = useWrite(
    links.update.mutationOptions({
      onSuccess: (changed) => void showAnswer(queries, links.one.queryKey({ input: { linkId: link.id } }), changed),
      onError: ({ message }) => toast.error({ title: "Couldn't save the change", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: links.list.key() }),
    }),
  );
  const change = ({ recipientName, ...changed }: RuleChange) =>
    update.mutate({
      linkId: link.id,
      ...changed,
      ...(changed.rules && { policyVersion: link.policyVersion }),
      ...(recipientName !== undefined && { recipientName: recipientName || null }),
    });
  const [album] = link.albums;
  return (
    <>
      <PageHeader
        title={nameLink(link)}
        back={{ to: '/magic-links', label: 'Magic links' }}
        facts={describeWhat(link)}
        actions={<Actions link={link} />}
        hasManyActions
      />
      <div className="grid gap-5 md:grid-cols-[3fr_2fr] md:items-start">
        <div className="grid gap-5">
          <RuleCard link={link} onChange={change} />
          {!link.isRevoked && link.firstOpenedAt === null && (
            <ButtonLink
              to={`/pricing?tab=credits&link=${link.id}`}
              variant="bare"
              icon={Signature}
              className="-ml-2.5 justify-self-start"
            >
              Make the address readable
            </ButtonLink>
          )}
          <Acceptances key={link.id} linkId={link.id} isAsked={link.policy.agreementId !== undefined} />
          <Outlet context={link} />
          {album && (
            <ButtonLink
              to={`/albums/${album.id}/leaks`}
              variant="bare"
              icon={FileSearch}
              className="-ml-2.5 justify-self-start"
            >
              Found a leak?
            </ButtonLink>
          )}
        </div>
        <div className="grid gap-5">
          <LinkDetails key={link.id} link={link} update={update} />
          <RuleHistory linkId={link.id} />
        </div>
      </div>
    </>
  );
}

/** What a link says of itself: its state, its story and its rule, which is changed word by word. */
function RuleCard({ link, onChange }: { link: MagicLink; onChange: (change: RuleChange) => void }) {
  const now = useNow();
  const sale = useSale();
  const { password: hasPassword, ...rules } = link.policy;
  const draft = {
    recipientName: link.recipientName ?? '',
    recipientChannel: link.recipientChannel,
    rules,
    expiry: link.expiresAt === null ? ({ kind: 'never' } as const) : ({ kind: 'at', at: link.expiresAt } as const),
    hasPassword,
  };
  const state = describeSecondState(link, now);
  return (
    <Card className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <LinkBadge link={link} />
        {state && <span className="text-13 text-quiet">{state}</span>}
      </p>
      {link.consentGap !== null && !link.isRevoked && <ConsentWords link={link} />}
      <p>{wholeParts(describeStory(link, now))}</p>
      {link.isRevoked ? (
        <Ended link={link} />
      ) : (
        <>
          <RuleSentence draft={draft} onChange={onChange} sale={sale} linkId={link.id} />
          <p className="-mt-1 text-quiet">{describeOpeners(link.policy)}</p>
          <div className="-mx-2.5 -my-2 flex flex-wrap gap-x-1 text-13">
            {!hasPassword && <AddPassword onChange={(password) => onChange({ password })} />}
            <AddRule
              rules={rules}
              linkId={link.id}
              onChange={(changed) => onChange({ rules: { ...rules, ...changed } })}
            />
          </div>
        </>
      )}
      <PreviewLink linkId={link.id} />
    </Card>
  );
}

/** Why nobody can open it, where the consent of somebody shown is the reason. */
function ConsentWords({ link: { consentGap, albums } }: { link: MagicLink }) {
  const [album] = albums;
  return (
    <div role="status" className="grid justify-items-start gap-2">
      <p>
        {consentGap === 'withdrawn'
          ? 'Someone who is shown has withdrawn their consent. This link shows nothing to anyone any more.'
          : 'Not everyone shown has agreed yet. This link opens for nobody until they have.'}
      </p>
      {album && (
        <ButtonLink to={`/albums/${album.id}/settings`} variant="outline">
          See who is shown
        </ButtonLink>
      )}
    </div>
  );
}

function AddPassword({ onChange }: { onChange: (password: string | null) => void }) {
  const button = (
    <Button variant="bare" icon={KeyRound}>
      Add a password
    </Button>
  );
  return <PasswordWord hasPassword={false} onChange={onChange} button={button} />;
}

/** What is left of a revoked link: until when it can come back. */
function Ended({ link }: { link: MagicLink }): ReactNode {
  const now = useNow();
  const { undo, isUndoing } = useRevoke();
  if (!canUndo(link, now) || link.undoUntil === null)
    return <p className="text-quiet">This is final. To share again, create a new link; it will have a new address.</p>;
  return (
    <>
      <p className="text-quiet">{`It can be undone until ${formatMoment(link.undoUntil, now)}.`}</p>
      <Button
        variant="outline"
        icon={Undo2}
        busy={isUndoing}
        onClick={() => undo([link.id])}
        className="justify-self-start"
      >
        Undo revoke
      </Button>
    </>
  );
}

function Actions({ link }: { link: MagicLink }) {
  const [address, setAddress] = useState<MagicLink>();
  const [asked, setAsked] = useState<readonly MagicLink[]>([]);
  const { revoke } = useRevoke();
  const show = () => setAddress(link);
  const share = async () => {
    if (!(await shareLink(link))) show();
  };
  const confirm = (brokeRules?: BrokeRules) => {
    revoke([link.id], brokeRules);
    setAsked([]);
  };
  return (
    <>
      {!link.isRevoked && (
        <Button icon={Copy} onClick={() => copyLink(link, show)}>
          Copy link
        </Button>
      )}
      {!link.isRevoked && canShare() && (
        <IconButton icon={Share2} label="Share link" variant="outline" onClick={() => share()} />
      )}
      {!link.isRevoked && <IconButton icon={QrCode} label="QR code" variant="outline" onClick={show} />}
      {!link.isRevoked && (
        <Button variant="outline" icon={Ban} onClick={() => setAsked([link])}>
          Revoke
        </Button>
      )}
      <AddressDialog link={address} onClose={() => setAddress(undefined)} />
      <RevokeDialog links={asked} onClose={() => setAsked([])} onConfirm={confirm} />
    </>
  );
}
