import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { CodeField } from './pages/code-field.tsx';

interface SecondFactorFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

/** A code of the app, or a backup code where the phone is not at hand. */
export function SecondFactorField({ onChange, ...rest }: SecondFactorFieldProps) {
  const [isBackup, setBackup] = useState(false);
  const turn = () => {
    setBackup(!isBackup);
    onChange({ target: { value: '' } });
  };
  return (
    <div className="grid gap-1">
      {isBackup ? (
        <Field
          key="backup"
          label="Backup code"
          hint="Each works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          {...rest}
          onChange={onChange}
        />
      ) : (
        <CodeField key="app" hint="From your authenticator app." {...rest} onChange={onChange} />
      )}
      <Button variant="bare" className="-ml-2.5 justify-self-start" onClick={turn}>
        {isBackup ? 'Use a code from your app' : 'Use a backup code'}
      </Button>
    </div>
  );
}
