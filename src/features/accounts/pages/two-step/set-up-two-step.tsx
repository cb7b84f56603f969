import { useState } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { QrCode } from '#ui/pictures/qr-code.tsx';
import { secondFactor, useMe } from '../../guard.tsx';
import { showSecret } from '../../second-factor/code-rules.ts';
import { FormFault } from '../auth-frame.tsx';
import { Code, CodeField } from '../code-field.tsx';
import { CopyButton } from './copy-button.tsx';
import { StepTitle } from './step-title.tsx';

interface Secret {
  address: string;
  typed: string;
}

interface SetUpProps {
  onDone: (backupCodes: string[]) => Promise<void>;
  onCancel: () => void;
}

/** First the password, then the app with a first code of it. */
export function SetUpTwoStep({ onDone, onCancel }: SetUpProps) {
  const [secret, setSecret] = useState<Secret>();
  return secret === undefined ? (
    <AskPassword onSecret={setSecret} onCancel={onCancel} />
  ) : (
    <FirstCode secret={secret} onDone={onDone} onCancel={onCancel} />
  );
}

const Password = z.object({ password: z.string().min(1, 'Enter your password') });

function AskPassword({ onSecret, onCancel }: { onSecret: (secret: Secret) => void; onCancel: () => void }) {
  const { me } = useMe();
  const form = useForm({
    shape: Password,
    initial: { password: '' },
    send: async (input) => onSecret(await secondFactor.begin.call(input)),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <StepTitle>First, your password</StepTitle>
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      <FormFault>{form.faults['']}</FormFault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          Continue
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function FirstCode({ secret, onDone, onCancel }: SetUpProps & { secret: Secret }) {
  const form = useForm({
    shape: Code,
    initial: { code: '' },
    send: async (input) => {
      const { backupCodes } = await secondFactor.turnOn.call(input);
      await onDone(backupCodes);
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <StepTitle>Scan this with your authenticator app</StepTitle>
      <div className="grid gap-5 md:grid-cols-[11rem_minmax(0,1fr)]">
        <div className="w-44">
          <QrCode text={secret.address} label="QR code for your authenticator app" />
        </div>
        <div className="grid content-start gap-3">
          <p className="text-quiet">
            Any authenticator app will do, also the one of your password manager. On this phone already? Type the key
            instead.
          </p>
          <code className="rounded-control border border-line bg-paper px-3.5 py-2.5 wrap-anywhere">
            {showSecret(secret.typed)}
          </code>
          <CopyButton text={secret.typed} label="Copy key" />
        </div>
      </div>
      <CodeField hint="What the app shows now." {...form.text('code')} />
      <FormFault>{form.faults['']}</FormFault>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={form.isBusy}>
          Turn on
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
