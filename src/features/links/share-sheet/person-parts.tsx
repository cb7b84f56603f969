import { type FormEvent, type ReactElement, type RefObject, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { Select } from '#ui/forms/select.tsx';
import type { Channel } from '../contract.ts';
import { channelNames } from '../link-texts.ts';
import { Word } from './sentence-part.tsx';

export interface Person {
  recipientName: string;
  recipientChannel: Channel | null;
}

/** "Bob" or "someone": the name and how the link travels. */
export function PersonWord({
  person,
  readers,
  onChange,
}: {
  person: Person;
  /** Who reads the name. */
  readers: string;
  onChange: (person: Person) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Word word={person.recipientName || 'someone'} title="Who is it for?" initialFocus={field}>
      {(close) => <PersonForm field={field} person={person} readers={readers} onSave={onChange} close={close} />}
    </Word>
  );
}

function PersonForm({
  field,
  person,
  readers,
  onSave,
  close,
}: {
  field: RefObject<HTMLInputElement | null>;
  person: Person;
  readers: string;
  onSave: (person: Person) => void;
  close: () => void;
}) {
  const [name, setName] = useState(person.recipientName);
  const [channel, setChannel] = useState<Channel | 'none'>(person.recipientChannel ?? 'none');
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave({ recipientName: name.trim(), recipientChannel: channel === 'none' ? null : channel });
    close();
  };
  const channels = Object.entries(channelNames) as [Channel, string][];
  return (
    <form onSubmit={save} className="grid gap-3">
      <Field
        ref={field}
        label="Name"
        hint={readers}
        value={name}
        maxLength={60}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label="Sent via"
        options={[
          { value: 'none' as const, label: 'Not specified' },
          ...channels.map(([value, label]) => ({ value, label })),
        ]}
        value={channel}
        onChange={setChannel}
      />
      <Button type="submit">Done</Button>
    </form>
  );
}

interface PasswordProps {
  /** Another button than the word of the sentence. */
  button?: ReactElement;
  /** A password is set, or is about to be. */
  hasPassword: boolean;
  onChange: (password: string | null) => void;
}

/** "a password", or the button that asks for one. */
export function PasswordWord({ button, hasPassword, onChange }: PasswordProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Word word={button ?? 'a password'} title="Password" initialFocus={field}>
      {(close) => <PasswordForm field={field} hasPassword={hasPassword} onChange={onChange} close={close} />}
    </Word>
  );
}

function PasswordForm({
  field,
  hasPassword,
  onChange,
  close,
}: Omit<PasswordProps, 'button'> & { field: RefObject<HTMLInputElement | null>; close: () => void }) {
  const [password, setPassword] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    onChange(password);
    close();
  };
  return (
    <form onSubmit={save} className="grid gap-3">
      <PasswordField
        ref={field}
        label={hasPassword ? 'New password' : 'Password'}
        hint="At least 6 characters. Send it separately from the link."
        minLength={6}
        maxLength={200}
        required
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" disabled={password.trim().length < 6}>
        {hasPassword ? 'Change password' : 'Set password'}
      </Button>
      {hasPassword && (
        <Button
          variant="outline"
          onClick={() => {
            onChange(null);
            close();
          }}
        >
          No password
        </Button>
      )}
    </form>
  );
}
