import { useQueryClient } from '@tanstack/react-query';
import type { OutboxEmail } from '#features/notices/contract.ts';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminMails } from '../admin-calls.tsx';
import { emailStates, nameTemplate } from '../admin-words.ts';

/** Emails with what became of each. @param showsAddress they are to several people */
export function EmailList({
  emails,
  showsAddress = false,
}: {
  emails: readonly OutboxEmail[];
  showsAddress?: boolean;
}) {
  return (
    <List label="Emails">
      {emails.map((email) => (
        <li key={email.id}>
          <EmailRow email={email} showsAddress={showsAddress} />
        </li>
      ))}
    </List>
  );
}

function EmailRow({ email, showsAddress }: { email: OutboxEmail; showsAddress: boolean }) {
  const { id, to, template, state, tries, lastError, createdAt, canBeSentAgain } = email;
  const queries = useQueryClient();
  const send = useWrite(
    adminMails.sendAgain.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'Sending it again' });
        return queries.invalidateQueries({ queryKey: adminMails.key() });
      },
      onError: (error) => toast.error({ title: "Couldn't send it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  const { word, tone } = emailStates[state];
  return (
    <Row
      title={nameTemplate(template)}
      {...(showsAddress && { to: `/admin/mails#${encodeURIComponent(to)}` })}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={
        <>
          {showsAddress && <span>{`${isolate(to)} · `}</span>}
          <RelativeTime at={createdAt} />
          {tries > 1 && <span>{` · ${formatCount(tries, 'try', 'tries')}`}</span>}
        </>
      }
      story={lastError === null ? undefined : isolate(lastError)}
      end={
        canBeSentAgain && (
          <Button variant="bare" busy={send.isPending} onClick={() => send.mutate({ emailId: id })}>
            Send again
          </Button>
        )
      }
    />
  );
}
