import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { emailChange, useMe } from '../../guard.tsx';
import { AuthFrame, FormFault } from '../auth-frame.tsx';

/** The page of the link that was mailed to an old address: opening it does nothing, its button puts the address back. */
export function UndoEmail({ token }: { token: string | undefined }) {
  const { askAgain } = useMe();
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked');
  const [fault, setFault] = useState<string>();
  const undo = async () => {
    if (token === undefined) return;
    setState('busy');
    setFault(undefined);
    try {
      await emailChange.undo.call({ token });
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
        title="Your address is back"
        text="Every device was signed out, and the password of before is worth nothing. Set a new one to sign in."
      >
        <ButtonLink to="/auth?action=forgot" size="large">
          Set a new password
        </ButtonLink>
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
      title="Put your address back"
      text="The email address of your account was changed. If it wasn't you, put this one back: every device is signed out, and you set a new password."
    >
      <Button size="large" icon={Undo2} busy={state === 'busy'} onClick={() => undo()}>
        Put my address back
      </Button>
      <FormFault>{fault}</FormFault>
    </AuthFrame>
  );
}
