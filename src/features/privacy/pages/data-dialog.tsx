import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { saveFile } from '#ui/save-file.tsx';
import type { DataAct } from '../my-data-contract.ts';
import { privacy } from '../privacy-calls.tsx';

const words = {
  export: { title: 'Download your data', button: 'Download' },
  erase: { title: 'Erase your data?', button: 'Erase my data' },
  keep: { title: 'Keep your data?', button: 'Keep my data' },
} as const;
const formId = 'my-data';

/** Asks for the code that was mailed, where an address is known, and does it. */
export function DataDialog({ act, address, onClose }: { act: DataAct; address: string | null; onClose: () => void }) {
  const [isSent, setSent] = useState(address === null);
  const [isBusy, setBusy] = useState(false);
  const { title, button } = words[act];
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button type="submit" form={formId} variant={act === 'erase' && isSent ? 'danger' : 'primary'} busy={isBusy}>
            {isSent ? button : 'Send the code'}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {isSent ? (
        <Confirm act={act} address={address} onBusy={setBusy} onClose={onClose} />
      ) : (
        <SendCode act={act} address={address ?? ''} onBusy={setBusy} onSent={() => setSent(true)} />
      )}
    </Dialog>
  );
}

function SendCode({
  act,
  address,
  onBusy,
  onSent,
}: {
  act: DataAct;
  address: string;
  onBusy: (isBusy: boolean) => void;
  onSent: () => void;
}) {
  const form = useForm({
    shape: z.object({}),
    initial: {},
    send: async () => {
      onBusy(true);
      await privacy.mailDataCode.call({ act });
      onBusy(false);
      onSent();
    },
    onFault: () => onBusy(false),
  });
  return (
    <form id={formId} onSubmit={form.submit} noValidate className="grid gap-3">
      <p>{`We'll send a code to ${address}, to make sure it's you.`}</p>
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}

function Confirm({
  act,
  address,
  onBusy,
  onClose,
}: {
  act: DataAct;
  address: string | null;
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const needsCode = address !== null;
  const form = useForm({
    shape: z.object({ code: needsCode ? z.string().min(1, 'Enter the code') : z.string() }),
    initial: { code: '' },
    send: async ({ code }) => {
      onBusy(true);
      await perform(act, needsCode ? { code } : {});
      await queries.invalidateQueries();
      onClose();
    },
    onFault: () => onBusy(false),
  });
  return (
    <form id={formId} onSubmit={form.submit} noValidate className="grid gap-3">
      {needsCode ? (
        <>
          <p>{`We sent a code to ${address}. Nothing there? Look in your spam folder.`}</p>
          <Field label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={20} {...form.text('code')} />
        </>
      ) : (
        <p>{act === 'erase' ? 'You can change your mind in this browser.' : 'Only this browser leads to it.'}</p>
      )}
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}

async function perform(act: DataAct, input: { code?: string }): Promise<void> {
  if (act === 'export') {
    const { fileName, text } = await privacy.exportMine.call(input);
    saveFile(new Blob([text], { type: 'application/json' }), fileName);
    return;
  }
  if (act === 'erase') {
    const { eraseAt } = await privacy.eraseMine.call(input);
    toast.success({ title: `Your data will be erased on ${formatDate(eraseAt, new Date())}` });
    return;
  }
  await privacy.keepMine.call(input);
  toast.success({ title: 'Your data stays' });
}
