import { useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { consents } from '../consent-calls.tsx';
import { ConsentInput, type ConsentRequest } from '../contract.ts';
import { RequestFacts } from './request-facts.tsx';

interface ConsentFormProps {
  token: string;
  request: ConsentRequest;
  onAnswered: (next: ConsentRequest) => void;
}

/** Yes, with a typed name and the age; no; or "this isn't me". */
export function ConsentForm({ token, request, onAnswered }: ConsentFormProps) {
  const give = useWrite(consents.give.mutationOptions());
  const form = useForm({
    shape: ConsentInput,
    initial: { token, typedName: '', isAdult: false, agrees: false },
    send: async (input) => onAnswered(await give.mutateAsync(input)),
  });
  const creator = isolate(request.creatorName) || 'A creator';
  return (
    <GuestFrame
      title="Do you agree to being shown?"
      text={`${creator} says that photos or videos in an album show you. Nobody sees the album as long as you haven't agreed.`}
    >
      <RequestFacts request={request} />
      <form onSubmit={form.submit} noValidate aria-label="Your consent" className="grid gap-4">
        <Field
          label="Your full name"
          hint="It counts as your signature."
          autoComplete="name"
          maxLength={80}
          {...form.text('typedName')}
        />
        <div className="grid gap-1">
          <Checkbox label="I am 18 or older, and was when I was pictured." {...form.box('isAdult')} />
          <Checkbox label="I have read the words above and agree." {...form.box('agrees')} />
        </div>
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" size="large" busy={form.isBusy}>
          Yes, I agree
        </Button>
      </form>
      <Refusals token={token} creator={creator} onAnswered={onAnswered} />
    </GuestFrame>
  );
}

function Refusals({
  token,
  creator,
  onAnswered,
}: {
  token: string;
  creator: string;
  onAnswered: ConsentFormProps['onAnswered'];
}) {
  const [asked, setAsked] = useState<'no' | 'not_me'>();
  const refuse = useWrite(
    consents.refuse.mutationOptions({
      onSuccess: onAnswered,
      onError: ({ message }) => toast.error({ title: "Couldn't send your answer", message }),
    }),
  );
  const isNotMe = asked === 'not_me';
  return (
    <div className="grid gap-2">
      <Button variant="outline" size="large" onClick={() => setAsked('no')}>
        No, I don't agree
      </Button>
      <Button variant="bare" className="justify-self-center" onClick={() => setAsked('not_me')}>
        This isn't me
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={isNotMe ? "This isn't you?" : 'You don’t agree?'}
        description={
          isNotMe
            ? `${creator} is told no, and can't send requests to this address again.`
            : `${creator} is told no. This answer is final; only a new request can be answered with yes.`
        }
        confirm={isNotMe ? "It isn't me" : 'Say no'}
        busy={refuse.isPending}
        onConfirm={() => refuse.mutate({ token, isNotMe })}
      />
    </div>
  );
}
