import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { emailChange, useMe } from '../../guard.tsx';
import { AuthFrame, FormFault } from '../auth-frame.tsx';

/** The page of the link to the new address of somebody who has lost their mailbox: opening it does nothing, its button changes the address. */
export function ConfirmNewEmail({ token }: { token: string | undefined }) {
  const { me, askAgain } = useMe();
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked');
  const [fault, setFault] = useState<string>();
  const confirm = async () => {
    if (token === undefined) return;
    setState('busy');
    setFault(undefined);
    try {
      await emailChange.confirmByLink.call({ token });
      setState('done');
      await askAgain();
    } catch (error) {
      setState('asked');
      setFault(Object.values(faultsOf(error))[0]);
    }
  };
  if (state === 'done')
    return (
      <AuthFrame
        title="This is your address now"
        text="Sign in with it from now on. If you have forgotten your password, set a new one."
      >
        {me?.user ? (
          <ButtonLink to="/" size="large">
            Go on
          </ButtonLink>
        ) : (
          <div className="grid gap-3">
            <ButtonLink to="/auth" size="large">
              Sign in
            </ButtonLink>
            <ButtonLink to="/auth?action=forgot" variant="outline" size="large">
              Set a new password
            </ButtonLink>
          </div>
        )}
      </AuthFrame>
    );
  if (token === undefined)
    return (
      <AuthFrame title="This link doesn't work" text="This link is incomplete. Open it from the email once more.">
        {null}
      </AuthFrame>
    );
  return (
    <AuthFrame
      title="Use this address?"
      text="The mailbox that got this email becomes the address of your account. The address of before is told, and can undo it for some days."
    >
      <Button size="large" icon={MailCheck} busy={state === 'busy'} onClick={() => confirm()}>
        Use this address
      </Button>
      <FormFault>{fault}</FormFault>
    </AuthFrame>
  );
}
