import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { heldTerms } from '#features/notices/refund-promise.ts';
import { describeStatement } from '#features/settings/statement-rules.ts';
import { formatMoney } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { FollowedRequest } from '../contract.ts';
import { ReportDelivery } from './report-delivery.tsx';
import { requests } from './requests-calls.tsx';
import { WordsDialog } from './words-dialog.tsx';

type What = 'withdraw' | 'accept' | 'revise' | 'complain';

/** The button that asked is gone by the time the question closes: the focus would be lost with it afterwards. */
function useSay(onDone: () => void) {
  const queries = useQueryClient();
  const freshen = () => queries.invalidateQueries({ queryKey: requests.show.key() });
  return useWrite(
    requests.say.mutationOptions({
      onSuccess: async () => {
        await freshen();
        onDone();
      },
      onError: ({ message }) => {
        toast.error({ title: "That didn't work", message });
        return freshen();
      },
    }),
  );
}

/** What whoever asked can do now. */
export function BuyerActions({ request }: { request: FollowedRequest }) {
  const { code, state, canOpen, wasRevised } = request;
  const [asking, setAsking] = useState<What>();
  const send = useSay(() => setAsking(undefined));
  const say = (what: What, text = '') => send.mutate({ code, what, text });
  const close = () => setAsking(undefined);
  return (
    <div className="grid gap-2">
      {state === 'quoted' && <PayButton request={request} />}
      {canOpen && <OpenButton code={code} />}
      <ReportDelivery request={request} />
      {state === 'delivered' && (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => setAsking('accept')}>
            Accept
          </Button>
          {!wasRevised && (
            <Button variant="outline" onClick={() => setAsking('revise')}>
              Ask for one change
            </Button>
          )}
          <Button variant="bare" onClick={() => setAsking('complain')}>
            Something is wrong
          </Button>
        </div>
      )}
      {(state === 'requested' || state === 'quoted') && (
        <Button variant="bare" className="-ml-2.5 justify-self-start" onClick={() => setAsking('withdraw')}>
          Withdraw it
        </Button>
      )}
      <Question asking={asking} isBusy={send.isPending} onSay={say} onClose={close} />
    </div>
  );
}

interface QuestionProps {
  asking: What | undefined;
  isBusy: boolean;
  onSay: (what: What, text?: string) => void;
  onClose: () => void;
}

/** What is asked before something cannot be taken back, and what is to be written. */
function Question({ asking, isBusy, onSay, onClose }: QuestionProps) {
  const words = { busy: isBusy, onClose };
  return (
    <>
      <ConfirmDialog
        open={asking === 'accept'}
        onClose={onClose}
        title="Accept the delivery?"
        description="The money goes to the creator. You keep what was delivered."
        confirm="Accept"
        busy={isBusy}
        onConfirm={() => onSay('accept')}
      />
      <ConfirmDialog
        open={asking === 'withdraw'}
        onClose={onClose}
        danger
        title="Withdraw your request?"
        description="It ends here. Nothing was charged."
        confirm="Withdraw"
        busy={isBusy}
        onConfirm={() => onSay('withdraw')}
      />
      {asking === 'revise' && (
        <WordsDialog
          {...words}
          title="Ask for one change"
          description="Once, and within what was agreed."
          label="What should be different"
          confirm="Send"
          isNeeded
          onSend={(text) => onSay('revise', text)}
        />
      )}
      {asking === 'complain' && (
        <WordsDialog
          {...words}
          title="What's wrong?"
          description="We'll look into it within 5 days. Until then, the money stays where it is."
          label="What's wrong"
          confirm="Report it"
          isNeeded
          onSend={(text) => onSay('complain', text)}
        />
      )}
    </>
  );
}

/** Goes where it is paid. */
function PayButton({ request: { code, agreedCents, currency, statementDescriptor } }: { request: FollowedRequest }) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const terms = useRef<HTMLSpanElement>(null);
  const cents = agreedCents ?? 0;
  const pay = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const { url } = await requests.pay.call({ code, amountCents: cents, shownTerms: terms.current?.textContent });
      // Whoever comes back by the browser's own button finds the page as it was.
      addEventListener('pageshow', () => setBusy(false), { once: true });
      location.assign(url);
    } catch (error) {
      setBusy(false);
      setFault(Object.values(faultsOf(error))[0]);
    }
  };
  return (
    <div className="grid gap-2">
      <Button size="large" busy={isBusy} onClick={() => pay()}>
        {`Pay ${formatMoney(cents, currency.toUpperCase())}`}
      </Button>
      <p className="text-13 text-quiet">
        <span ref={terms}>{heldTerms}</span>
        <span>{` ${describeStatement(statementDescriptor)}`}</span>
      </p>
      <p role="alert" className="font-medium text-rust empty:hidden">
        {fault}
      </p>
    </div>
  );
}

function OpenButton({ code }: { code: string }) {
  const [isBusy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const { viewPath } = await requests.open.call({ code, timeZone });
      addEventListener('pageshow', () => setBusy(false), { once: true });
      location.assign(viewPath);
    } catch (error) {
      setBusy(false);
      toast.error({ title: "Couldn't open it", message: Object.values(faultsOf(error))[0] });
    }
  };
  return (
    <Button size="large" busy={isBusy} onClick={() => open()}>
      Open it
    </Button>
  );
}
