import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { nameCountry } from '#kit/country-names.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Session } from '../contract.ts';
import { accounts, leave } from '../guard.tsx';
import { ChangePassword } from './change-password.tsx';
import { EmailAddress } from './email-change/email-address.tsx';
import { Passkeys } from './passkeys/passkeys-section.tsx';
import { TwoStep } from './two-step/two-step.tsx';

export const meta = () => [{ title: 'Security · PrivateFans' }, { name: 'robots', content: 'noindex' }];

export default function SecurityPage() {
  return (
    <div className="grid max-w-160 gap-8">
      <EmailAddress />
      <section>
        <SectionHeader title="Password" />
        <ChangePassword />
      </section>
      <TwoStep />
      <Passkeys />
      {/* What belongs to rooms above this one; before the sessions, which may be many. */}
      <Outlet />
      <Sessions />
    </div>
  );
}

/** Where they are signed in: each device with its place and last use, one tap to end it. */
function Sessions() {
  const { data, isPending, isError, refetch } = useQuery(accounts.listSessions.queryOptions());
  const sessions = data?.sessions ?? [];
  return (
    <section>
      <SectionHeader title="Where you're signed in" />
      {isPending && <SkeletonRows rows={2} label="Loading your sessions" />}
      {isError && <ErrorState onRetry={() => void refetch()} />}
      {sessions.length > 0 && (
        <List label="Sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <SessionRow session={session} />
            </li>
          ))}
        </List>
      )}
      <SignOutEverywhere />
    </section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const queries = useQueryClient();
  const end = useWrite(
    accounts.endSession.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'Signed out', message: session.device });
        return queries.invalidateQueries({ queryKey: accounts.listSessions.key() });
      },
      onError: (error) => toast.error({ title: "Couldn't sign out", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <Row
      title={session.device}
      mark={session.isCurrent && <Chip tone="moss">This device</Chip>}
      quiet={
        <>
          <span>{`${describePlace(session.country)} · last used: `}</span>
          <RelativeTime at={session.lastUsedAt} />
        </>
      }
      start={
        <span className="grid size-10 flex-none place-items-center rounded-full bg-plum-wash text-plum">
          <MonitorSmartphone />
        </span>
      }
      end={
        !session.isCurrent && (
          <Button
            variant="bare"
            busy={end.isPending}
            aria-label={`Sign out ${session.device}`}
            onClick={() => end.mutate({ sessionId: session.id })}
          >
            Sign out
          </Button>
        )
      }
    />
  );
}

/** A place is known or said to be unknown; it is never made up. */
const describePlace = (country: string | null) => (country === null ? 'Location unknown' : nameCountry(country));

function SignOutEverywhere() {
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const end = useWrite(
    accounts.signOutEverywhere.mutationOptions({
      onSuccess: async () => {
        setOpen(false);
        await leave(queries, navigate);
        toast.success({ title: 'Signed out', message: 'Every device is signed out.', goesAlong: true });
      },
      onError: (error) => toast.error({ title: "Couldn't sign out", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <div className="mt-4">
      <Button variant="outline" icon={LogOut} onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Sign out everywhere?"
        description="Every device, including this one, is signed out right away. Your links stay as they are."
        confirm="Sign out everywhere"
        onConfirm={() => end.mutate({})}
        busy={end.isPending}
        danger
      />
    </div>
  );
}
