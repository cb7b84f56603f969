import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import * as z from 'zod';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminUsers } from '../admin-calls.tsx';
import { type AccountCard, mostNotes, NoteText } from '../contract.ts';

/** What administrators have noted about an account, and the next note. */
export function AccountNotes({ account: { id: userId, notes } }: { account: AccountCard }) {
  return (
    <section>
      <SectionHeader title="Notes" />
      <div className="grid gap-4">
        <NewNote userId={userId} />
        {notes.map(({ id, author, text, at }) => (
          <Card key={id} className="grid gap-2">
            <p className="text-13 text-quiet wrap-anywhere">
              <span>{`${author === '' ? 'An administrator' : isolate(author)} · `}</span>
              <RelativeTime at={at} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{isolate(text)}</p>
          </Card>
        ))}
        {notes.length === mostNotes && <p className="text-quiet">{`Only the newest ${mostNotes} are shown.`}</p>}
      </div>
    </section>
  );
}

function NewNote({ userId }: { userId: string }) {
  const queries = useQueryClient();
  // Sent twice, it is one note.
  const noteId = useRef<string>(undefined);
  const reset = useRef<() => void>(() => undefined);
  const form = useForm({
    shape: z.object({ text: NoteText }),
    initial: { text: '' },
    send: async ({ text }) => {
      noteId.current ??= crypto.randomUUID();
      await adminUsers.addNote.call({ userId, noteId: noteId.current, text });
      noteId.current = undefined;
      reset.current();
      toast.success({ title: 'The note is saved' });
      await queries.invalidateQueries({ queryKey: adminUsers.key() });
    },
  });
  reset.current = form.reset;
  return (
    <form onSubmit={form.submit} noValidate className="grid justify-items-start gap-3">
      <Textarea
        label="A note for other administrators"
        hint="No page shows it to them, but a copy of their data has it. Kept for two years."
        rows={3}
        maxLength={2000}
        className="w-full"
        {...form.text('text')}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <Button type="submit" variant="outline" busy={form.isBusy}>
        Add note
      </Button>
    </form>
  );
}
