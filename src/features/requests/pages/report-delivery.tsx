import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import type { FollowedRequest } from '../contract.ts';
import { reportReasonNames } from '../moves/request-words.ts';
import { longestWords, type ReportReason, reportReasons } from '../rules.ts';
import { requests } from './requests-calls.tsx';

/** Says what is wrong with what was delivered and released, as long as that can be said. */
export function ReportDelivery({ request: { code, reportUntil } }: { request: FollowedRequest }) {
  const now = useNow();
  const [isOpen, setOpen] = useState(false);
  if (reportUntil === null || reportUntil <= now) return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Button variant="outline" onClick={() => setOpen(true)}>
        Something is wrong
      </Button>
      <p className="text-13 text-quiet">{`You can tell us until ${formatMoment(reportUntil, now)}.`}</p>
      {isOpen && <Reporting code={code} onClose={() => setOpen(false)} />}
    </div>
  );
}

const shape = z.object({
  reason: z.enum(reportReasons, 'Choose a reason'),
  text: z.string().trim().min(1, 'Say what is wrong').max(longestWords),
});

function Reporting({ code, onClose }: { code: string; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape,
    initial: { reason: undefined as ReportReason | undefined, text: '' },
    send: async (input) => {
      await requests.report.call({ code, ...input });
      await queries.invalidateQueries({ queryKey: requests.show.key() });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="What's wrong?"
      description="We'll look into it within 5 days and email you. The creator reads what you write. You can report it once."
      actions={
        <>
          <Button type="submit" form="report-delivery" busy={form.isBusy}>
            Report it
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="report-delivery" onSubmit={form.submit} noValidate className="grid gap-5">
        <Select
          label="Why?"
          options={reportReasons.map((value) => ({ value, label: reportReasonNames[value] }))}
          placeholder="Choose a reason"
          value={form.values.reason}
          error={form.faults.reason}
          onChange={(value) => form.set('reason', value)}
        />
        <Textarea label="What happened?" maxLength={longestWords} {...form.text('text')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
