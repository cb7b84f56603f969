import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CreditCard, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { accounts } from '#features/accounts/guard.tsx';
import { InvitedBy } from '#features/referrals/invited-by.tsx';
import type { Elements } from '#kit/elements.ts';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { refreshQueries, showAnswer } from '#wire/refresh-queries.ts';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { billing } from '../billing-calls.tsx';
import type { PlanInvoice, PlanState } from '../contract.ts';
import { describeCard, describeMonth, describePlanState, formatDay } from '../plan-words.ts';
import { usePlanCheckout } from '../use-plan-checkout.tsx';
import { Pausing } from './pausing.tsx';

/** A creator's own plan: how it stands, what can be done about it, and what was paid. */
export function PlanView() {
  const queries = useQueryClient();
  useLive(['plan.changed'], [billing.plan.key(), accounts.me.key()]);
  useReturn();
  const query = useQuery(billing.plan.queryOptions());
  const keep = (plan: PlanState) => {
    void showAnswer(queries, billing.plan.queryKey(), plan);
    void queries.invalidateQueries({ queryKey: accounts.me.key() });
  };
  if (query.isPending) return <Loading />;
  if (query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  return (
    <div className="grid gap-7">
      <PlanStatus plan={query.data} onChange={keep} />
      {query.data.invoices.length > 0 && <Invoices invoices={query.data.invoices} />}
      <InvitedBy />
      {query.data.isSandbox && <p className="text-13 text-quiet">Test payments, no real money.</p>}
    </div>
  );
}

/** Back from where a card was given: the provider is asked at once. */
function useReturn(): void {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const isBack = search.has('card');
  const { mutate } = useWrite(
    billing.checkSubscription.mutationOptions({
      onSettled: () => refreshQueries(queries, [billing.plan.key(), accounts.me.key()]),
    }),
  );
  useEffect(() => {
    if (!isBack) return;
    setSearch({}, { replace: true });
    mutate({});
  }, [isBack, setSearch, mutate]);
}

interface PlanStatusProps {
  plan: PlanState;
  onChange: (plan: PlanState) => void;
}

function PlanStatus({ plan, onChange }: PlanStatusProps) {
  const { chip, title, lines } = describePlanState(plan);
  return (
    <Card aria-label="Your plan" className="grid gap-4 p-6">
      <span>
        <Chip tone={chip.tone}>{chip.text}</Chip>
      </span>
      <div className="grid gap-2">
        <h2 className="text-28 text-balance">{title}</h2>
        {lines.map((line) => (
          <p key={line} className="max-w-140 text-quiet">
            {line}
          </p>
        ))}
      </div>
      {plan.card && (
        <p className="flex items-center gap-2.5">
          <CreditCard className="text-quiet" />
          <span>{describeCard(plan.card)}</span>
        </p>
      )}
      {plan.isRefunding && <p className="text-quiet">Your refund is on its way.</p>}
      <div className="flex flex-wrap gap-3">
        <Begin plan={plan} />
        <ChangeCard plan={plan} />
        <Pausing plan={plan} onChange={onChange} />
        <Ending plan={plan} onChange={onChange} />
      </div>
    </Card>
  );
}

const canBegin = ({ kind, canChangeCard }: PlanState): boolean =>
  kind === 'none' || kind === 'ended' || (kind === 'trial' && !canChangeCard);

/** Takes the plan, or adds a card to a trial that has none. */
function Begin({ plan }: { plan: PlanState }) {
  const { begin, isBusy, panel: drawn } = usePlanCheckout();
  const panel: Elements = drawn;
  if (!canBegin(plan)) return null;
  return (
    <>
      <Button busy={isBusy} onClick={begin}>
        {plan.kind === 'trial' ? 'Add a card' : `Choose plan · ${describeMonth(plan)} a month`}
      </Button>
      {panel}
    </>
  );
}

function ChangeCard({ plan: { canChangeCard, card, status } }: { plan: PlanState }) {
  const change = useWrite(
    billing.changeCard.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: ({ message }) => toast.error({ title: 'Error', message }),
    }),
  );
  if (!canChangeCard) return null;
  return (
    <Button
      variant={card === null || status === 'past_due' ? 'primary' : 'outline'}
      busy={change.isPending || change.isSuccess}
      onClick={() => change.mutate({})}
    >
      {card === null ? 'Add a card' : 'Change card'}
    </Button>
  );
}

/** One tap and one question lead out, at once from a pause; until the last day one tap leads back. */
function Ending({ plan, onChange }: PlanStatusProps) {
  const [asked, setAsked] = useState<'cancel' | 'money-back'>();
  const after = (title: string) => ({
    onSuccess: (changed: PlanState) => {
      setAsked(undefined);
      onChange(changed);
      toast.success({ title });
    },
    onError: ({ message }: Error) => toast.error({ title: 'Error', message }),
  });
  const cancel = useWrite(billing.cancelPlan.mutationOptions(after('Your plan is canceled')));
  const resume = useWrite(billing.resumePlan.mutationOptions(after('Your plan goes on')));
  const back = useWrite(billing.moneyBack.mutationOptions(after('Your refund is on its way')));
  if (plan.kind !== 'plan' && plan.kind !== 'paused') return null;
  return (
    <>
      {plan.cancelAtPeriodEnd ? (
        <Button icon={RotateCcw} busy={resume.isPending} onClick={() => resume.mutate({})}>
          Keep my plan
        </Button>
      ) : (
        <Button variant="bare" onClick={() => setAsked('cancel')}>
          Cancel plan
        </Button>
      )}
      {plan.moneyBackUntil && (
        <Button variant="quietDanger" onClick={() => setAsked('money-back')}>
          Cancel and refund
        </Button>
      )}
      <CancelDialog
        isOpen={asked === 'cancel'}
        plan={plan}
        isBusy={cancel.isPending}
        onCancel={() => cancel.mutate({})}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        open={asked === 'money-back'}
        onClose={() => setAsked(undefined)}
        title="Cancel and get your money back?"
        description="Your first payment is refunded in full, and your plan ends now: your links stop for free viewers at once. This works once."
        confirm="Cancel and refund"
        danger
        busy={back.isPending}
        onConfirm={() => back.mutate({})}
      />
    </>
  );
}

interface CancelDialogProps {
  isOpen: boolean;
  plan: PlanState;
  isBusy: boolean;
  onCancel: () => void;
  onClose: () => void;
}

function CancelDialog({ isOpen, plan, isBusy, onCancel, onClose }: CancelDialogProps) {
  const endsNow = plan.kind === 'paused' || plan.status === 'past_due' || plan.renewal !== null;
  const end = plan.periodEnd === null ? 'at the end of this month' : `on ${formatDay(plan.periodEnd)}`;
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={endsNow ? 'End your plan now?' : `Your plan ends ${end}`}
      description={
        endsNow
          ? `Nothing more is charged.${plan.kind === 'paused' ? '' : ' Your links stop for free viewers at once.'} Everything you have stored is kept for at least 90 days.`
          : 'Your links stop for free viewers then. Nothing more is charged, and everything you have stored is kept.'
      }
      actions={
        <>
          <Button variant="danger" busy={isBusy} onClick={onCancel}>
            Cancel plan
          </Button>
          <Button variant="outline" disabled={isBusy} onClick={onClose}>
            Keep my plan
          </Button>
        </>
      }
    />
  );
}

const words: Readonly<Record<PlanInvoice['state'], { tone: 'moss' | 'rust' | 'plain' | 'ember'; text: string }>> = {
  paid: { tone: 'moss', text: 'Paid' },
  open: { tone: 'ember', text: 'Open' },
  failed: { tone: 'rust', text: 'Not paid' },
  partly_refunded: { tone: 'plain', text: 'Partly refunded' },
  refunded: { tone: 'plain', text: 'Refunded' },
};

function Invoices({ invoices }: { invoices: readonly PlanInvoice[] }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Invoices" />
      <List label="Invoices">
        {invoices.map(({ id, at, number, amountCents, refundedCents, currency, state, url }) => (
          <li key={id}>
            <Row
              title={formatDate(at, now)}
              mark={<Chip tone={words[state].tone}>{words[state].text}</Chip>}
              quiet={number === null ? undefined : `No. ${number}`}
              story={
                state === 'partly_refunded'
                  ? `${formatMoney(refundedCents, currency.toUpperCase())} went back to you`
                  : undefined
              }
              end={
                <>
                  <span>{formatMoney(amountCents, currency.toUpperCase())}</span>
                  {url !== null && (
                    <a
                      href={url}
                      target="_blank"
                      rel="noreferrer"
                      className="inline-flex min-h-11 items-center px-2 text-plum"
                    >
                      Open
                    </a>
                  )}
                </>
              }
            />
          </li>
        ))}
      </List>
    </section>
  );
}

function Loading() {
  return (
    <div className="grid gap-7" aria-busy="true">
      <Skeleton className="h-60 rounded-card" />
      <Skeleton className="h-40 rounded-card" />
    </div>
  );
}
