import { useQuery } from '@tanstack/react-query';
import { Download, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { deletionGraceDays } from '#features/accounts/rules.ts';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import type { DataAct, MyData } from '../my-data-contract.ts';
import { describeMyEffects } from '../my-data-words.ts';
import { privacy } from '../privacy-calls.tsx';
import { DataDialog } from './data-dialog.tsx';

export const meta = () => metaOfPaid('Your data');

/** What is kept of whoever has looked or paid without an account, to take along and to end. */
export default function MyDataPage() {
  const mine = useQuery(privacy.showMine.queryOptions({ staleTime: 0 }));
  return (
    <GuestFrame title="Your data" text="What PrivateFans keeps about you, without an account.">
      {mine.isPending && <SkeletonRows />}
      {mine.isError && <ErrorState error={mine.error} onRetry={() => void mine.refetch()} busy={mine.isRefetching} />}
      {mine.isSuccess && (mine.data.isKnown ? <Ways mine={mine.data} /> : <Nothing />)}
    </GuestFrame>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={ShieldCheck}
      title="We don't know this browser"
      action={<ButtonLink to="/find-my-purchases">Find my purchases</ButtonLink>}
    >
      If you paid or asked for something in another browser, prove your address here first.
    </EmptyState>
  );
}

function Ways({ mine }: { mine: MyData }) {
  const [act, setAct] = useState<DataAct>();
  const { address, eraseAt } = mine;
  return (
    <>
      <Card className="grid justify-items-start gap-4">
        <h2 className="text-21">Download it</h2>
        <p className="text-quiet">
          A file with your visits, browsers, payments, receipts, subscriptions, requests and what you agreed to. Once a
          day.
        </p>
        <Button variant="outline" icon={Download} onClick={() => setAct('export')}>
          Download my data
        </Button>
      </Card>
      {eraseAt === null ? (
        <Erase mine={mine} onErase={() => setAct('erase')} />
      ) : (
        <Erasing mine={mine} eraseAt={eraseAt} onKeep={() => setAct('keep')} />
      )}
      <p className="text-13 text-quiet">
        Paid with another address?{' '}
        <Link to="/find-my-purchases" className="font-medium text-plum underline underline-offset-4">
          Find those purchases
        </Link>
      </p>
      {act !== undefined && <DataDialog act={act} address={address} onClose={() => setAct(undefined)} />}
    </>
  );
}

function Erase({ mine: { effects }, onErase }: { mine: MyData; onErase: () => void }) {
  return (
    <Card className="grid justify-items-start gap-4">
      <h2 className="text-21">Erase it</h2>
      <p className="text-quiet">
        {`You can change your mind for ${deletionGraceDays} days. Then it is erased for good:`}
      </p>
      <ul className="grid list-disc gap-1.5 pl-5" aria-label="What happens">
        {describeMyEffects(effects).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button variant="quietDanger" icon={Trash2} onClick={onErase}>
        Erase my data
      </Button>
    </Card>
  );
}

function Erasing({ mine: { isErasing }, eraseAt, onKeep }: { mine: MyData; eraseAt: Date; onKeep: () => void }) {
  const now = useNow();
  return (
    <Card tone="ember" className="grid justify-items-start gap-4">
      <h2 className="text-21">It is going to be erased</h2>
      <p>
        {isErasing
          ? 'Your data is being erased. We wait only for payments that are still open.'
          : `Your data will be erased on ${formatDate(eraseAt, now)}. What you buy until then goes too.`}
      </p>
      {!isErasing && (
        <Button variant="outline" onClick={onKeep}>
          Keep my data
        </Button>
      )}
    </Card>
  );
}
