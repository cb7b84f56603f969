import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import type { ListedClaim } from '#features/marketing/contract.ts';
import { trimmedText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { List } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminClaims } from '../admin-calls.tsx';

export const meta = () => [{ title: 'Claims · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const placeWords = {
  hero: 'Top of the home page',
  figures: 'Figures of the home page',
  quotes: 'Quotes',
  pricing: 'Pricing',
  demo: 'Demo',
} as const;
type Place = keyof typeof placeWords;

/** What public pages may say of this installation, and who stands up for it. */
export default function ClaimsPage() {
  const query = useQuery(adminClaims.list.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader
        title="Claims"
        back={{ to: '/admin/settings', label: 'Settings' }}
        facts="Public pages speak in figures only where you stand up for them."
      />
      <Loaded query={query} label="Loading the claims">
        {({ claims, isSandbox }) => <Claims claims={claims} isSandbox={isSandbox} />}
      </Loaded>
    </>
  );
}

type Asked = { what: 'confirm' | 'withdraw'; claim: ListedClaim };

function Claims({ claims, isSandbox }: { claims: readonly ListedClaim[]; isSandbox: boolean }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <div className="grid max-w-190 gap-8">
      {(Object.keys(placeWords) as Place[]).map((place) => (
        <section key={place}>
          <SectionHeader title={placeWords[place]} />
          <List label={placeWords[place]}>
            {claims
              .filter((claim) => claim.place === place)
              .map((claim) => (
                <li key={claim.key ?? `${claim.figure} ${claim.text}`}>
                  <Claim claim={claim} isSandbox={isSandbox} onAsk={(what) => setAsked({ what, claim })} />
                </li>
              ))}
          </List>
        </section>
      ))}
      {asked?.what === 'confirm' && <ConfirmClaim claim={asked.claim} onClose={close} />}
      {asked?.what === 'withdraw' && <WithdrawClaim claim={asked.claim} onClose={close} />}
    </div>
  );
}

const stateWords = {
  computed: { word: 'Follows from the settings', tone: 'plain' },
  confirmed: { word: 'Confirmed', tone: 'moss' },
  ended: { word: 'Confirmation has ended', tone: 'rust' },
  not_confirmed: { word: 'Not confirmed', tone: 'plain' },
} as const;

/** Whether public pages show it, and why. */
function describeShown({ state, isShown }: ListedClaim, isSandbox: boolean): string {
  if (state === 'computed') return 'Always shown.';
  if (state === 'confirmed') return 'Shown.';
  if (isShown && isSandbox) return 'Shown as a sample, as this is a sandbox.';
  return state === 'ended' ? 'Not shown until it is confirmed again.' : 'Not shown until somebody confirms it.';
}

function Claim({
  claim,
  isSandbox,
  onAsk,
}: {
  claim: ListedClaim;
  isSandbox: boolean;
  onAsk: (what: Asked['what']) => void;
}) {
  const now = useNow();
  const { key, figure, text, by, state, confirmation, measured } = claim;
  const { word, tone } = stateWords[state];
  return (
    <div className="grid gap-2 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 text-pretty">{[figure, text, by && `– ${by}`].filter(Boolean).join(' ')}</span>
        <Chip tone={tone}>{word}</Chip>
      </p>
      <p className="text-13 text-quiet">
        {[describeShown(claim, isSandbox), measured && `Counted here: ${measured}.`].filter(Boolean).join(' ')}
      </p>
      {confirmation !== null && (
        <p className="text-13 wrap-anywhere text-quiet">
          {[
            isolate(confirmation.source),
            `checked ${formatMoment(confirmation.checkedAt, now)}`,
            `by ${isolate(confirmation.checkedBy ?? 'the command line')}`,
            confirmation.expiresAt === null ? 'without an end' : `until ${formatMoment(confirmation.expiresAt, now)}`,
          ].join(' · ')}
        </p>
      )}
      {key !== null && (
        <div className="flex flex-wrap gap-3">
          <Button variant="outline" onClick={() => onAsk('confirm')}>
            {state === 'confirmed' ? 'Confirm again' : 'Confirm'}
          </Button>
          {confirmation !== null && (
            <Button variant="quietDanger" onClick={() => onAsk('withdraw')}>
              Withdraw
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const formId = 'confirm-claim';
const Confirming = z.object({
  source: trimmedText(500, 'Use at most 500 characters').min(1, 'Say where it can be checked'),
  until: z.union([z.literal('').transform(() => null), z.iso.date('Enter a day')]),
});

function ConfirmClaim({ claim: { key, figure, text }, onClose }: { claim: ListedClaim; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape: Confirming,
    initial: { source: '', until: '' },
    send: async (input) => {
      if (key === null) return;
      await adminClaims.confirm.call({ key, ...input });
      await queries.invalidateQueries({ queryKey: adminClaims.key() });
      toast.success({ title: 'Confirmed', message: 'Public pages show it from now on.' });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Confirm this claim"
      description={[figure, text].filter(Boolean).join(' ')}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Confirm
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Textarea label="Where it can be checked" maxLength={500} rows={3} {...form.text('source')} />
        <Field label="Until" type="date" hint="Empty for no end" {...form.text('until')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}

function WithdrawClaim({ claim: { key }, onClose }: { claim: ListedClaim; onClose: () => void }) {
  const queries = useQueryClient();
  const withdraw = useWrite(
    adminClaims.withdraw.mutationOptions({
      onSuccess: () => toast.success({ title: 'Withdrawn' }),
      onError: (error) => toast.error({ title: "It didn't work", message: Object.values(faultsOf(error))[0] }),
      onSettled: () => {
        onClose();
        return queries.invalidateQueries({ queryKey: adminClaims.key() });
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      danger
      title="Withdraw this claim?"
      description="Public pages do not show it any more, and a sandbox as a sample only."
      confirm="Withdraw"
      busy={withdraw.isPending}
      onClose={onClose}
      onConfirm={() => key !== null && withdraw.mutate({ key })}
    />
  );
}
