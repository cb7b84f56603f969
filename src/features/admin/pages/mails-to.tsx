import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminMails } from '../admin-calls.tsx';
import { suppressionWords } from '../admin-words.ts';
import { EmailList } from './email-list.tsx';

/** The newest emails to an address with what became of them, and why it gets no notices. */
export function MailsTo({ address }: { address: string }) {
  const query = useQuery(adminMails.to.queryOptions({ input: { address } }));
  return (
    <Loaded query={query} label="Loading the emails">
      {({ emails, suppression }) => (
        <div className="grid gap-4">
          {suppression !== null && <Suppressed address={address} reason={suppression} />}
          {emails.length === 0 ? (
            <EmptyState icon={Mail} title="No email went to this address">
              Nothing was sent there that is still on record. They may have typed another address.
            </EmptyState>
          ) : (
            <EmailList emails={emails} />
          )}
        </div>
      )}
    </Loaded>
  );
}

function Suppressed({ address, reason }: { address: string; reason: keyof typeof suppressionWords }) {
  const queries = useQueryClient();
  const lift = useWrite(
    adminMails.liftSuppression.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'Notices are sent again' });
        return queries.invalidateQueries({ queryKey: adminMails.key() });
      },
      onError: (error) => toast.error({ title: "Couldn't change it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <Card tone="rust" className="grid gap-3">
      <p>{suppressionWords[reason]}</p>
      {reason !== 'unsubscribed' && (
        <div>
          <Button variant="outline" busy={lift.isPending} onClick={() => lift.mutate({ address })}>
            Send notices again
          </Button>
        </div>
      )}
    </Card>
  );
}
