import { Button } from '#ui/buttons/button.tsx';
import { CodeForm, type MailSent } from '../code-form.tsx';
import { accounts } from '../guard.tsx';
import { describeInvitationEnded } from '../invitation-ended.tsx';
import { AuthFrame } from './auth-frame.tsx';

interface CheckEmailProps {
  email: string;
  resendAfterMs: number | undefined;
  onResend: () => Promise<MailSent>;
  onOther: () => void;
  onDone: () => Promise<void>;
}

/** The mail is on its way: its link in this browser, or its code here. */
export function CheckEmail({ email, resendAfterMs, onResend, onOther, onDone }: CheckEmailProps) {
  return (
    <AuthFrame
      title="Check your email"
      text="We've sent you a confirmation link. Click it to verify your email and complete your account setup."
    >
      <CodeForm
        lead={
          <>
            We sent it to <strong className="break-all">{email}</strong>. Open the link in this browser, or enter the
            code here.
          </>
        }
        hint="It's checked as soon as all six digits are there."
        resendAfterMs={resendAfterMs}
        onResend={onResend}
        onCode={async (input) => {
          const { hasInvitationEnded } = await accounts.confirm.call(input);
          await onDone();
          if (hasInvitationEnded) describeInvitationEnded();
        }}
        other={
          <Button variant="bare" onClick={onOther}>
            Change address
          </Button>
        }
      />
    </AuthFrame>
  );
}
