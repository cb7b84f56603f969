import { type FormEvent, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { nameAllowed } from '../offers/gate-texts.ts';
import { longestAllowText, readAllowList } from './allow-list.ts';
import type { RulesProps } from './rules-props.ts';
import { Word } from './sentence-part.tsx';

/** "only lena@example.com", "3 addresses": whose address a link asks for. */
export function EmailWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={nameAllowed(rules.email ?? { verify: true, allow: [] })} title="Email">
      {(close) => <EmailForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

/** Whoever opens the link types an address and the code that is sent to it. */
export function EmailForm({ rules: { email }, onChange, close }: RulesProps & { close: () => void }) {
  const [typed, setTyped] = useState(() => (email?.allow ?? []).join('\n'));
  const [fault, setFault] = useState<string>();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = readAllowList(typed);
    if ('fault' in read) return setFault(read.fault);
    onChange({ email: { verify: true, allow: read.allow } });
    close();
  };
  return (
    <form onSubmit={save} className="grid gap-3">
      <Textarea
        label="Who can open it"
        hint="One address on each line, or @example.com for everyone there. Empty: anyone who confirms an address. We send them a 6-digit code."
        error={fault}
        maxLength={longestAllowText}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        style={{ maxHeight: '12rem' }}
      />
      <Button type="submit">{email === undefined ? 'Ask for an address' : 'Done'}</Button>
      {email !== undefined && (
        <Button
          variant="outline"
          onClick={() => {
            onChange({ email: undefined });
            close();
          }}
        >
          Don't ask
        </Button>
      )}
    </form>
  );
}
