import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { secondFactor, useMe } from '../../guard.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { RenewCodes, SwitchOff } from './change-two-step.tsx';
import { SetUpTwoStep } from './set-up-two-step.tsx';

type Doing = 'nothing' | 'setting_up' | 'renewing' | 'switching_off' | { codes: string[] };

/** The second factor of an account: set up, new backup codes, switched off. */
export function TwoStep() {
  const { data, isPending, isError, refetch } = useQuery(secondFactor.show.queryOptions());
  return (
    <section>
      <SectionHeader title="Two-step sign-in">{data?.isOn && <Chip tone="moss">On</Chip>}</SectionHeader>
      <Card>
        {isPending && <SkeletonRows rows={1} label="Loading two-step sign-in" />}
        {isError && <ErrorState onRetry={() => void refetch()} />}
        {data && <Part isOn={data.isOn} left={data.backupCodesLeft} />}
      </Card>
    </section>
  );
}

function Part({ isOn, left }: { isOn: boolean; left: number }) {
  const [doing, setDoing] = useState<Doing>('nothing');
  const queries = useQueryClient();
  const { askAgain } = useMe();
  const changed = async (next: Doing) => {
    setDoing(next);
    await Promise.all([queries.invalidateQueries({ queryKey: secondFactor.show.key() }), askAgain()]);
  };
  const stop = () => setDoing('nothing');
  if (typeof doing === 'object') return <BackupCodes codes={doing.codes} onDone={stop} />;
  if (doing === 'setting_up') return <SetUpTwoStep onDone={(codes) => changed({ codes })} onCancel={stop} />;
  if (doing === 'renewing') return <RenewCodes onDone={(codes) => changed({ codes })} onCancel={stop} />;
  if (doing === 'switching_off') return <SwitchOff onDone={() => changed('nothing')} onCancel={stop} />;
  return isOn ? (
    <IsOn left={left} onRenew={() => setDoing('renewing')} onSwitchOff={() => setDoing('switching_off')} />
  ) : (
    <div className="grid gap-4">
      <p className="text-quiet">
        With it, signing in takes your password and a code from an app on your phone. Whoever learns your password can't
        get in.
      </p>
      <Button icon={ShieldCheck} className="justify-self-start" onClick={() => setDoing('setting_up')}>
        Set up two-step sign-in
      </Button>
    </div>
  );
}

function IsOn({ left, onRenew, onSwitchOff }: { left: number; onRenew: () => void; onSwitchOff: () => void }) {
  return (
    <div className="grid gap-4">
      <p className="text-quiet">Signing in takes your password and a code from your authenticator app.</p>
      <p className={left < 3 ? 'font-medium text-rust' : 'text-quiet'}>{describeLeft(left)}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={onRenew}>
          New backup codes
        </Button>
        <Button variant="quietDanger" onClick={onSwitchOff}>
          Switch off
        </Button>
      </div>
    </div>
  );
}

function describeLeft(left: number): string {
  if (left === 0) return 'No backup codes left. Without your phone, you could not sign in.';
  return left === 1 ? '1 backup code left.' : `${left} backup codes left.`;
}
