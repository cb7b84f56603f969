import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Segmented } from '#ui/forms/segmented.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { billing } from '../billing-calls.tsx';
import type { PlanState } from '../contract.ts';
import { describeMonth, describeResumed, formatDay } from '../plan-words.ts';

interface PausingProps {
  plan: PlanState;
  onChange: (plan: PlanState) => void;
}

/** Pauses a plan that is paid for, or lets one go on that is paused. */
export function Pausing({ plan, onChange }: PausingProps) {
  const isOffered = plan.kind === 'plan' && plan.pauses.length > 0;
  if (plan.kind === 'paused') return <Resume plan={plan} onChange={onChange} />;
  if (plan.kind === 'plan' && plan.pause !== null) return <TakeBack plan={plan} onChange={onChange} />;
  return isOffered ? <Pause plan={plan} onChange={onChange} /> : null;
}

const failed = ({ message }: Error) => toast.error({ title: 'Error', message });

function Pause({ plan, onChange }: PausingProps) {
  const [isAsked, setAsked] = useState(false);
  const [months, setMonths] = useState(1);
  const pause = useWrite(
    billing.pausePlan.mutationOptions({
      onSuccess: (changed) => {
        setAsked(false);
        onChange(changed);
        toast.success({ title: 'Your plan is set to pause' });
      },
      onError: failed,
    }),
  );
  const chosen = plan.pauses.find((one) => one.months === months) ?? plan.pauses[0];
  if (chosen === undefined || plan.periodEnd === null) return null;
  const [from, until] = [formatDay(plan.periodEnd), formatDay(chosen.until)];
  return (
    <>
      <Button variant="bare" onClick={() => setAsked(true)}>
        Pause plan
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Pause your plan"
        description={`It works as usual until ${from}, which is paid for. Then it's paused until ${until}.`}
        actions={
          <>
            <Button busy={pause.isPending} onClick={() => pause.mutate({ months: chosen.months })}>
              {`Pause for ${formatCount(chosen.months, 'month')}`}
            </Button>
            <Button variant="outline" disabled={pause.isPending} onClick={() => setAsked(false)}>
              Keep my plan
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <Segmented
            label="How long"
            value={String(chosen.months)}
            options={plan.pauses.map((one) => ({
              value: String(one.months),
              label: formatCount(one.months, 'month'),
            }))}
            onChange={(value) => setMonths(Number(value))}
          />
          <PauseTerms plan={plan} until={until} />
        </div>
      </Dialog>
    </>
  );
}

/** What a pause does, and what it costs afterwards. */
function PauseTerms({ plan, until }: { plan: PlanState; until: string }) {
  return (
    <ul className="grid list-disc gap-2 pl-5 text-quiet">
      <li>
        While it's paused you can sign in and see your billing, payouts and data. You can't upload, share or sell
        anything new.
      </li>
      <li>People with a free link see “Temporarily unavailable”. Whoever has paid you keeps what they bought.</li>
      <li>Everything you have stored is kept.</li>
      <li>{`Nothing is charged until ${until}. Then your plan resumes automatically, and ${describeMonth(plan)} is taken from your card.`}</li>
      <li>You can resume or cancel at any time. A plan can be paused for three months in any twelve.</li>
    </ul>
  );
}

/** What has not begun is taken back by one tap. */
function TakeBack({ onChange }: PausingProps) {
  const back = useEndPause((changed) => {
    onChange(changed);
    toast.success({ title: "Your plan won't be paused" });
  });
  return (
    <Button icon={RotateCcw} busy={back.isPending} onClick={() => back.mutate({})}>
      Don't pause
    </Button>
  );
}

/** A month is paid for at once: that is asked about first. */
function Resume({ plan, onChange }: PausingProps) {
  const [isAsked, setAsked] = useState(false);
  const resume = useEndPause((changed) => {
    setAsked(false);
    onChange(changed);
    const { isActive, title } = describeResumed(changed);
    if (isActive) toast.success({ title });
    else toast.error({ title, message: 'Please check your card, or use another one.' });
  });
  // One that we paused ourselves goes on as if nothing had been.
  const isCharged = plan.pause?.from != null;
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setAsked(true)}>
        Resume plan
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Resume your plan now?"
        description={
          isCharged
            ? `${describeMonth(plan)} is taken from your card today for the month that begins now, and then every month. Your links open for everybody again at once.`
            : 'Your links open for everybody again at once.'
        }
        confirm={isCharged ? `Pay ${describeMonth(plan)} and resume` : 'Resume'}
        busy={resume.isPending}
        onConfirm={() => resume.mutate({})}
      />
    </>
  );
}

const useEndPause = (onEnd: (plan: PlanState) => void) =>
  useWrite(billing.endPause.mutationOptions({ onSuccess: onEnd, onError: failed }));
