import { useState } from 'react';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { consents } from '../consent-calls.tsx';
import type { ConsentRequest } from '../contract.ts';
import { RequestFacts } from './request-facts.tsx';

interface WithdrawProps {
  token: string;
  request: ConsentRequest;
  onAnswered: (next: ConsentRequest) => void;
}

/** What somebody has agreed to, and the way back. */
export function WithdrawConsent({ token, request, onAnswered }: WithdrawProps) {
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const withdraw = useWrite(
    consents.withdraw.mutationOptions({
      onSuccess: onAnswered,
      onError: ({ message }) => toast.error({ title: "Couldn't withdraw it", message }),
    }),
  );
  const creator = isolate(request.creatorName) || 'a creator';
  return (
    <GuestFrame
      title="You agreed to being shown"
      text={`You gave your consent to ${creator} ${formatMoment(request.at, now)}. You can withdraw it at any time, without a reason.`}
    >
      <RequestFacts request={request} />
      <div className="grid gap-3">
        <Button variant="danger" size="large" onClick={() => setAsking(true)}>
          Withdraw my consent
        </Button>
        <p className="text-13 text-quiet">
          Keep the email that led here: its link works as long as the album is there.
        </p>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Withdraw your consent?"
        description={`The album closes to everyone but ${creator} at once. This is final: to agree again you would have to be asked again.`}
        confirm="Withdraw it"
        danger
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ token })}
      />
    </GuestFrame>
  );
}
