import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useParams } from 'react-router';
import * as z from 'zod';
import type { WholeSupportCase } from '#features/support/desk-contract.ts';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Textarea } from '#ui/forms/textarea.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminSupport } from '../admin-calls.tsx';
import { supportStates } from '../admin-words.ts';
import { SupportList } from './support-page.tsx';

export const meta = () => [{ title: 'Message · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What somebody wrote, what was answered, and the answer to send. */
export default function SupportCasePage() {
  const { number = '' } = useParams();
  const query = useQuery(adminSupport.show.queryOptions({ input: { number } }));
  return (
    <Loaded query={query} label="Loading the message">
      {(whole) => <Case key={whole.number} whole={whole} />}
    </Loaded>
  );
}

function Case({ whole }: { whole: WholeSupportCase }) {
  const { number, status, name, email, subject, message, userId, createdAt, answers, replies, others } = whole;
  const conversation = [
    ...answers.map((one) => ({ ...one, isOurs: true })),
    ...replies.map((one) => ({ ...one, isOurs: false })),
  ].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const { word, tone } = supportStates[status];
  const person = userId === null ? `/admin/mails#${encodeURIComponent(email)}` : `/admin/users/${userId}`;
  return (
    <>
      <PageHeader
        title={subject}
        back={{ to: '/admin/support', label: 'Support' }}
        facts={`${number} · ${isolate(name)}, ${isolate(email)}`}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-160 gap-5">
        <Card className="grid gap-3">
          <p className="text-13 text-quiet">
            <RelativeTime at={createdAt} />
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{isolate(message)}</p>
          <Link
            to={person}
            className="inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
          >
            {userId === null ? 'Emails to this address' : 'Their account and emails'}
          </Link>
        </Card>
        {conversation.map(({ id, text, createdAt: at, isOurs }) => (
          <Card key={id} {...(isOurs && { tone: 'sunk' })} className="grid gap-2">
            <p className="text-13 text-quiet">
              <span>{isOurs ? 'Answered ' : 'Wrote again '}</span>
              <RelativeTime at={at} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{isolate(text)}</p>
          </Card>
        ))}
        <Answer
          number={number}
          answersSeen={answers.length}
          repliesSeen={replies.length}
          isClosed={status === 'closed'}
        />
        {others.length > 0 && (
          <section>
            <SectionHeader title="Other messages from this address" />
            <SupportList cases={others} />
          </section>
        )}
      </div>
    </>
  );
}

function Answer({
  number,
  answersSeen,
  repliesSeen,
  isClosed,
}: {
  number: string;
  answersSeen: number;
  repliesSeen: number;
  isClosed: boolean;
}) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: adminSupport.key() });
  const reset = useRef<() => void>(() => undefined);
  const form = useForm({
    shape: z.object({ text: proseText(4000, 'Use at most 4000 characters').min(1, 'Write an answer') }),
    initial: { text: '' },
    send: async ({ text }) => {
      await adminSupport.answer.call({ number, text, answersSeen, repliesSeen });
      reset.current();
      toast.success({ title: 'Your answer is on its way' });
      await refresh();
    },
  });
  reset.current = form.reset;
  const close = useWrite(
    adminSupport.close.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'Closed' });
        return refresh();
      },
      onError: (error) => toast.error({ title: "Couldn't close it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <Textarea
        label="Your answer"
        hint="It goes out by email, with what they asked about."
        rows={5}
        maxLength={4000}
        {...form.text('text')}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.isBusy}>
          Send answer
        </Button>
        {!isClosed && (
          <Button variant="outline" busy={close.isPending} onClick={() => close.mutate({ number, repliesSeen })}>
            Close without answering
          </Button>
        )}
      </div>
    </form>
  );
}
