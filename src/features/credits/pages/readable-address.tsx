import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import * as z from 'zod';
import { nameLink } from '#features/links/link-texts.ts';
import { trimmedText } from '#kit/bounded-text.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Row } from '#ui/layout/list.tsx';
import type { CreditUses } from '../contract.ts';
import { credits } from './credits-calls.tsx';
import { useSpent } from './use-spent.tsx';

interface AddressProps {
  address: CreditUses['address'];
  balance: number;
}

/** A link's address can begin with a word; the page of a link leads here with that link chosen. */
export function ReadableAddress({ address, balance, hasAccess }: AddressProps & { hasAccess: boolean }) {
  const [search] = useSearchParams();
  const wanted = search.get('link');
  const { credits: price, links } = address;
  const canPay = balance >= price;
  const [isOpen, setOpen] = useState(wanted !== null && canPay && links.some(({ id }) => id === wanted));
  return (
    <li>
      <Row
        title="A readable address"
        quiet={`${formatCount(price, 'credit')} · A link's address can start with a word you choose; random letters always follow.`}
        story={
          links.length === 0 ? "This works only for links nobody has opened yet, and you don't have any." : undefined
        }
        end={
          hasAccess &&
          links.length > 0 && (
            <Button variant="outline" disabled={!canPay} onClick={() => setOpen(true)}>
              {canPay ? 'Choose a link' : `Needs ${formatCount(price, 'credit')}`}
            </Button>
          )
        }
      />
      {isOpen && <AddressDialog address={address} wanted={wanted} balance={balance} onClose={() => setOpen(false)} />}
    </li>
  );
}

const AddressInput = z.object({
  linkId: z.string().min(1, 'Choose a link'),
  word: trimmedText(60).min(1, 'Choose a word'),
});

function AddressDialog(props: AddressProps & { wanted: string | null; onClose: () => void }) {
  const [url, setUrl] = useState<string>();
  if (url !== undefined) return <Given url={url} onClose={props.onClose} />;
  return <Asking {...props} onGiven={setUrl} />;
}

type AskingProps = AddressProps & { wanted: string | null; onClose: () => void; onGiven: (url: string) => void };

function Asking({ address: { credits: price, links }, balance, wanted, onClose, onGiven }: AskingProps) {
  const { onSuccess } = useSpent('Address changed', () => undefined);
  const first = links.find(({ id }) => id === wanted) ?? links[0];
  const form = useForm({
    shape: AddressInput,
    initial: { linkId: first?.id ?? '', word: '' },
    send: async (params) => {
      const { url } = await credits.giveWord.call({ ...params, credits: price });
      onGiven(url);
      await onSuccess();
    },
  });
  const { values, faults } = form;
  const isShared = links.find(({ id }) => id === values.linkId)?.isShared === true;
  return (
    <Dialog
      open
      onClose={onClose}
      title="A readable address"
      description={`It costs ${formatCount(price, 'credit')}; you have ${balance}. Each link can have only one.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Select
          label="Link"
          options={links.map((link) => ({ value: link.id, label: nameLink(link) }))}
          value={values.linkId}
          onChange={(id) => form.set('linkId', id)}
          error={faults.linkId}
        />
        <Field
          label="Word"
          hint="Everyone who gets the link can read it."
          maxLength={60}
          autoComplete="off"
          {...form.text('word')}
        />
        {isShared && <p className="text-13 text-rust">You've shared this link. The address you sent stops working.</p>}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {faults['']}
        </p>
        <Button type="submit" size="large" busy={form.isBusy}>
          {`Use ${formatCount(price, 'credit')}`}
        </Button>
      </form>
    </Dialog>
  );
}

function Given({ url, onClose }: { url: string; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog open onClose={onClose} title="The new address" description="The old address no longer works.">
      <Field label="Address" value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button
        size="large"
        icon={isCopied ? Check : Copy}
        onClick={async () => setCopied(await copyLater(Promise.resolve(url)))}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </Button>
    </Dialog>
  );
}
