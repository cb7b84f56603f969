import { type FormEvent, useId, useState } from 'react';
import type { Refusal } from '../contract.ts';
import { typedCode } from './browser.ts';
import type { Answers } from './salon.ts';

/** What a gate can do with the answer that it asked for. */
export interface Asking {
  isBusy: boolean;
  /** The line broke, or too many tries: ready to show. */
  failure: string;
  send(answers: Answers): void;
}

/** The album's password. The server's text says how many tries are left. */
export function PasswordForm({ asking, refusal }: { asking: Asking; refusal: Refusal }) {
  const id = useId();
  const [password, setPassword] = useState('');
  const isWrong = refusal.triesLeft !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.send({ password });
    setPassword('');
  };
  return (
    <form className="ways" onSubmit={submit}>
      <label className="quiet small" htmlFor={id}>
        Password
      </label>
      <input
        id={id}
        type="password"
        className="field"
        required
        maxLength={200}
        autoComplete="off"
        aria-invalid={isWrong}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <button type="submit" className="primary" disabled={asking.isBusy}>
        Open
      </button>
    </form>
  );
}

/** For somebody who was let in before, in a browser that has forgotten it. */
export function CodeForm({ asking, isOpenFirst }: { asking: Asking; isOpenFirst: boolean }) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.send({ resumeCode: typedCode(code) });
  };
  if (!isOpen)
    return (
      <p className="ways">
        <button type="button" className="bare" onClick={() => setOpen(true)}>
          I have an access code
        </button>
      </p>
    );
  return (
    <form className="ways" onSubmit={submit}>
      <label className="quiet small" htmlFor={id}>
        Access code
      </label>
      <input
        id={id}
        className="field code"
        required
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <button type="submit" className="primary" disabled={asking.isBusy}>
        Open
      </button>
    </form>
  );
}
