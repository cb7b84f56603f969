import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Ticket } from 'lucide-react';
import { useState } from 'react';
import { formatCount, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminInvitations } from '../admin-calls.tsx';
import type { ListedInvitation } from '../invitations-contract.ts';
import { InvitationDialog } from './invitation-dialog.tsx';

export const meta = () => [{ title: 'Join links · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Links by which people join with a free account. */
export default function InvitationsPage() {
  const query = useQuery(adminInvitations.list.queryOptions({ input: {} }));
  const [isMaking, setMaking] = useState(false);
  const [ending, setEnding] = useState<ListedInvitation>();
  return (
    <>
      <PageHeader
        title="Join links"
        back={{ to: '/admin/settings', label: 'Settings' }}
        facts="People who join by one have a free account, without a card."
        actions={
          <Button icon={Plus} onClick={() => setMaking(true)}>
            New join link
          </Button>
        }
      />
      <div className="max-w-190">
        <Loaded query={query} label="Loading the join links">
          {({ invitations }) => <Invitations invitations={invitations} onEnd={setEnding} />}
        </Loaded>
      </div>
      {isMaking && <InvitationDialog onClose={() => setMaking(false)} />}
      {ending !== undefined && <EndInvitation invitation={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

const stateWords = {
  open: { word: 'Open', tone: 'moss' },
  used_up: { word: 'Used up', tone: 'plain' },
  ended: { word: 'Ended', tone: 'plain' },
  revoked: { word: 'Revoked', tone: 'rust' },
} as const;

function Invitations({
  invitations,
  onEnd,
}: {
  invitations: readonly ListedInvitation[];
  onEnd: (invitation: ListedInvitation) => void;
}) {
  const now = useNow();
  if (invitations.length === 0)
    return (
      <EmptyState icon={Ticket} title="No join links yet">
        Make one for somebody whose account is to be free.
      </EmptyState>
    );
  return (
    <List label="Join links">
      {invitations.map((invitation) => {
        const { id, label, note, days, places, taken, state, expiresAt, revokedAt } = invitation;
        const { word, tone } = stateWords[state];
        const free = days === null ? 'free for good' : `free for ${formatCount(days, 'day')}`;
        const end =
          revokedAt === null
            ? `joins until ${formatMoment(expiresAt, now)}`
            : `revoked ${formatMoment(revokedAt, now)}`;
        return (
          <li key={id}>
            <Row
              title={isolate(label)}
              mark={<Chip tone={tone}>{word}</Chip>}
              quiet={`${taken} of ${formatCount(places, 'place')} taken · ${free} · ${end}`}
              story={note === '' ? undefined : isolate(note)}
              end={
                state === 'open' && (
                  <Button variant="bare" onClick={() => onEnd(invitation)}>
                    Revoke
                  </Button>
                )
              }
            />
          </li>
        );
      })}
    </List>
  );
}

function EndInvitation({
  invitation: { id: invitationId, label },
  onClose,
}: {
  invitation: ListedInvitation;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const revoke = useWrite(
    adminInvitations.revoke.mutationOptions({
      onSuccess: () => toast.success({ title: 'Revoked' }),
      onError: (error) => toast.error({ title: "It didn't work", message: Object.values(faultsOf(error))[0] }),
      onSettled: () => {
        onClose();
        return queries.invalidateQueries({ queryKey: adminInvitations.key() });
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      danger
      title="Revoke this join link?"
      description={`Nobody can join by “${isolate(label)}” any more. Those who have joined keep what it gave them.`}
      confirm="Revoke"
      busy={revoke.isPending}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ invitationId })}
    />
  );
}
