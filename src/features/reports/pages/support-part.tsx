import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import * as z from 'zod';
import { casesContract, ReplyText, type SupportState } from '#features/support/cases-contract.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { callsOf } from '#wire/client.ts';
import { NotHere } from './case-not-here.tsx';

const cases = callsOf('cases', casesContract);

const words: Readonly<Record<SupportState['status'], { title: string; text: string }>> = {
  pending: { title: 'We have your message', text: 'Nobody has opened it yet. The answer comes by email.' },
  open: { title: 'Someone has your message', text: 'The answer comes by email.' },
  answered: { title: 'We have answered', text: 'If it is not settled, write once more.' },
  closed: { title: 'It is closed', text: 'If it is not settled, write once more: it opens again.' },
};

interface CaseProps {
  reference: { number: string; secret: string };
}

/** How a message to support stands, what was said, and the way to write once more. */
export function SupportCasePart({ reference }: CaseProps) {
  const queries = useQueryClient();
  const options = cases.show.queryOptions({ input: reference, retry: false });
  const query = useQuery(options);
  if (query.data === undefined) return <NotHere query={query} />;
  const { number, status, createdAt, messages } = query.data;
  const { title, text } = words[status];
  return (
    <GuestFrame title={title} text={text}>
      <p className="text-13 text-quiet">
        <span>{`Number ${number}, `}</span>
        <RelativeTime at={createdAt} />
      </p>
      {messages.map(({ from, text: said, at }) => (
        <Card key={`${from} ${at.getTime()}`} {...(from === 'us' && { tone: 'sunk' })} className="grid gap-2">
          <p className="text-13 text-quiet">
            <span>{from === 'us' ? 'Our answer, ' : 'You wrote, '}</span>
            <RelativeTime at={at} />
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{isolate(said)}</p>
        </Card>
      ))}
      <Reply reference={reference} onSent={(next) => void queries.setQueryData(options.queryKey, next)} />
    </GuestFrame>
  );
}

function Reply({ reference, onSent }: CaseProps & { onSent: (next: SupportState) => void }) {
  const reset = useRef<() => void>(() => undefined);
  const form = useForm({
    shape: z.object({ text: ReplyText }),
    initial: { text: '' },
    send: async ({ text }) => {
      onSent(await cases.reply.call({ ...reference, text }));
      reset.current();
      toast.success({ title: 'Sent', message: "We'll get back to you by email." });
    },
  });
  reset.current = form.reset;
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <Textarea label="Write once more" rows={4} maxLength={4000} {...form.text('text')} />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <Button type="submit" busy={form.isBusy} className="justify-self-start">
        Send
      </Button>
    </form>
  );
}
