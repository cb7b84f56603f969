import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminMails } from '../admin-calls.tsx';
import { EmailList } from './email-list.tsx';
import { MailsTo } from './mails-to.tsx';
import { SearchBox } from './search-box.tsx';
import { useSought } from './use-sought.ts';

export const meta = () => [{ title: 'Emails · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Emails to one address, and those that no server has taken. */
export default function MailsPage() {
  const [sought, search] = useSought();
  return (
    <>
      <PageHeader title="Emails" />
      <SearchBox
        key={sought}
        label="Emails to"
        hint="The whole address, as they gave it."
        initial={sought}
        fewest={3}
        onSearch={search}
      />
      <div className="grid max-w-190 gap-8">
        {sought.length >= 3 && (
          <section>
            <SectionHeader title="To this address" />
            <MailsTo address={sought} />
          </section>
        )}
        <Failed />
      </div>
    </>
  );
}

function Failed() {
  const queries = useQueryClient();
  const query = useQuery(adminMails.failed.queryOptions({ input: {} }));
  const settle = {
    onSuccess: () => queries.invalidateQueries({ queryKey: adminMails.key() }),
    onError: (error: unknown) => {
      toast.error({ title: "Couldn't do it", message: Object.values(faultsOf(error))[0] });
    },
  };
  const send = useWrite(adminMails.sendAgain.mutationOptions(settle));
  const see = useWrite(adminMails.markSeen.mutationOptions(settle));
  return (
    <section>
      <SectionHeader title="Not delivered" />
      <Loaded query={query} label="Loading failed emails">
        {({ emails, givenUp, failing }) =>
          emails.length === 0 ? (
            <EmptyState icon={MailCheck} title="Every email has left">
              Emails that no server takes appear here, with the reason.
            </EmptyState>
          ) : (
            <div className="grid gap-4">
              <p className="text-quiet">{`${formatCount(givenUp, 'email was', 'emails were')} given up, ${formatCount(failing, 'is', 'are')} tried again.`}</p>
              {givenUp > 0 && (
                <div className="flex flex-wrap gap-3">
                  <Button variant="outline" busy={send.isPending} onClick={() => send.mutate({ emailId: null })}>
                    Send all again
                  </Button>
                  <Button variant="outline" busy={see.isPending} onClick={() => see.mutate({ emailId: null })}>
                    Mark all as seen
                  </Button>
                </div>
              )}
              <EmailList emails={emails} showsAddress />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}
