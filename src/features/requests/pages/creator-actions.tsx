import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { AlbumFinder } from '#features/albums/album-finder.tsx';
import { readCents } from '#kit/cents.ts';
import { formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { OwnRequest } from '../contract.ts';
import { leastRequestCents, longestWords, mostDays, mostRequestCents } from '../rules.ts';
import { requests } from './requests-calls.tsx';
import { WordsDialog } from './words-dialog.tsx';

type Asking = 'accept' | 'counter' | 'decline' | 'deliver' | 'cancel';

interface CreatorActionsProps {
  request: OwnRequest;
  /** Without a plan nothing new is accepted; what was paid for is delivered all the same. */
  hasAccess: boolean;
}

/** What its creator can do now. */
export function CreatorActions({ request, hasAccess }: CreatorActionsProps) {
  const { state } = request;
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const isInWork = state === 'paid' || state === 'revision_requested';
  return (
    <>
      {state === 'requested' && !hasAccess && <p className="text-quiet">Accepting it needs an active plan.</p>}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {state === 'requested' && hasAccess && (
          <>
            <Button onClick={() => setAsking('accept')}>Accept</Button>
            <Button variant="outline" onClick={() => setAsking('counter')}>
              Propose something else
            </Button>
          </>
        )}
        {(state === 'requested' || state === 'quoted') && (
          <Button
            variant="bare"
            className={state === 'quoted' || !hasAccess ? '-ml-2.5' : ''}
            onClick={() => setAsking('decline')}
          >
            Decline
          </Button>
        )}
        {isInWork && (
          <>
            <Button onClick={() => setAsking('deliver')}>Deliver</Button>
            <Button variant="bare" onClick={() => setAsking('cancel')}>
              Cancel and refund
            </Button>
          </>
        )}
      </div>
      {(asking === 'accept' || asking === 'counter') && (
        <QuoteDialog request={request} isCounter={asking === 'counter'} onClose={close} />
      )}
      {asking === 'deliver' && <DeliverDialog request={request} hasAccess={hasAccess} onClose={close} />}
      {(asking === 'decline' || asking === 'cancel') && (
        <EndDialog request={request} isCancel={asking === 'cancel'} onClose={close} />
      )}
    </>
  );
}

interface DialogProps {
  request: OwnRequest;
  onClose: () => void;
}

const useChanged = () => {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: requests.key() });
};

/** @throws FormError with what can be chosen */
function checkQuote({ cents, days }: { cents: number; days: number }, format: (cents: number) => string): void {
  if (!(Number.isInteger(days) && days >= 1 && days <= mostDays)) throw new FormError(`Choose 1 to ${mostDays} days.`);
  if (!(cents >= leastRequestCents && cents <= mostRequestCents))
    throw new FormError(`Choose between ${format(leastRequestCents)} and ${format(mostRequestCents)}.`);
}

/** Accepts what was offered, or proposes another price. */
function QuoteDialog({ request, isCounter, onClose }: DialogProps & { isCounter: boolean }) {
  const { id: requestId, offeredCents, currency } = request;
  const changed = useChanged();
  const format = (cents: number) => formatPrice(cents, currency.toUpperCase());
  const form = useForm({
    shape: z.object({}),
    initial: { dollars: String(offeredCents / 100), days: String(request.days), text: '' },
    async send() {
      const { dollars, text } = form.values;
      const [cents, days] = [readCents(dollars), Number(form.values.days)];
      checkQuote({ cents, days }, format);
      await (isCounter
        ? requests.counter.call({ requestId, cents, days, text })
        : requests.accept.call({ requestId, days }));
      await changed();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={isCounter ? 'Propose something else' : `Accept for ${format(offeredCents)}?`}
      description={
        isCounter
          ? 'They have 72 hours to pay it. Until then you can still decline.'
          : "They have 48 hours to pay. Start once it's paid; we hold the money for you."
      }
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        {isCounter && (
          <Field label="Your price, $" inputMode="decimal" maxLength={9} autoComplete="off" {...form.text('dollars')} />
        )}
        <Field
          label="Days to deliver"
          inputMode="numeric"
          maxLength={2}
          hint="From the payment on. Two days later, it goes back automatically."
          {...form.text('days')}
        />
        {isCounter && (
          <Textarea
            label="Message (optional)"
            maxLength={longestWords}
            value={form.values.text}
            onChange={(event) => form.set('text', event.target.value)}
          />
        )}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" busy={form.isBusy}>
          {isCounter ? 'Propose it' : 'Accept'}
        </Button>
      </form>
    </Dialog>
  );
}

function DeliverDialog({
  request: { id: requestId, wasRevised },
  hasAccess,
  onClose,
}: DialogProps & { hasAccess: boolean }) {
  const [albumId, setAlbumId] = useState<string>();
  const changed = useChanged();
  const deliver = useWrite(
    requests.deliver.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
        toast.success({ title: 'Delivered', message: "We've emailed them a link to it." });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't deliver it", message }),
    }),
  );
  return (
    <WordsDialog
      title="Deliver"
      description={
        wasRevised
          ? 'Choose the album with what was changed. It is shown beside what you delivered first.'
          : 'Choose the album that holds it. Only the person who paid can open it, with a link of their own.'
      }
      label="Message (optional)"
      confirm="Deliver"
      busy={deliver.isPending}
      onClose={onClose}
      onSend={(text) =>
        albumId === undefined
          ? toast.error({ title: 'Choose an album first' })
          : deliver.mutate({ requestId, albumId, text })
      }
    >
      <AlbumChoices albumId={albumId} onChoose={setAlbumId} />
      {hasAccess && (
        <ButtonLink to="/albums" variant="bare" className="-ml-2.5 justify-self-start">
          Make a new album
        </ButtonLink>
      )}
    </WordsDialog>
  );
}

interface AlbumChoicesProps {
  albumId: string | undefined;
  onChoose: (albumId: string) => void;
}

function AlbumChoices({ albumId, onChoose }: AlbumChoicesProps) {
  return (
    <AlbumFinder filter="ready">
      {(found) =>
        found.map(({ id, name }) => (
          <label
            key={id}
            className={cx(
              'flex min-h-11 items-center gap-3 rounded-control px-2.5 font-medium',
              id === albumId && 'bg-plum-wash',
            )}
          >
            <input
              type="radio"
              name="album"
              className="size-5 flex-none accent-plum"
              checked={id === albumId}
              onChange={() => onChoose(id)}
            />
            <span className="min-w-0 wrap-break-word">{name}</span>
          </label>
        ))
      }
    </AlbumFinder>
  );
}

function EndDialog({ request: { id: requestId }, isCancel, onClose }: DialogProps & { isCancel: boolean }) {
  const changed = useChanged();
  const described = {
    onSuccess: async () => {
      await changed();
      onClose();
    },
    onError: ({ message }: Error) => toast.error({ title: "That didn't work", message }),
  };
  const decline = useWrite(requests.decline.mutationOptions(described));
  const cancel = useWrite(requests.cancel.mutationOptions(described));
  const end = isCancel ? cancel : decline;
  return (
    <WordsDialog
      title={isCancel ? 'Cancel and refund?' : 'Decline it?'}
      description={
        isCancel
          ? 'Everything that was paid goes back. This cannot be undone.'
          : "Nothing was paid. They'll get an email."
      }
      label="Message (optional)"
      confirm={isCancel ? 'Cancel and refund' : 'Decline'}
      danger
      busy={end.isPending}
      onClose={onClose}
      onSend={(text) => end.mutate({ requestId, text })}
    />
  );
}
