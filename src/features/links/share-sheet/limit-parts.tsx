import { type FormEvent, useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Field } from '#ui/forms/field.tsx';
import { nameScreens, nameStart, nameVisits, usualScreens } from '../offers/gate-texts.ts';
import type { RulesProps } from './rules-props.ts';
import { Choices, Word } from './sentence-part.tsx';

/** What is on the card of a rule. */
export type FormProps = RulesProps & { close: () => void };

/** "20 Dec, 18:00": when the link begins to open. */
export function StartWord({ rules, onChange, notBefore }: RulesProps & { notBefore: string }) {
  const now = useNow();
  return (
    <Word word={nameStart(notBefore, now)} title="When it opens">
      {(close) => <StartForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

/** A moment as a field of the browser takes it, where its reader is. */
function writeLocal(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** A day and a minute before which nothing opens. */
export function StartForm({ rules: { notBefore }, onChange, close }: FormProps) {
  const [at, setAt] = useState(() => (notBefore === undefined ? '' : writeLocal(new Date(notBefore))));
  const save = (event: FormEvent) => {
    event.preventDefault();
    onChange({ notBefore: new Date(at).toISOString() });
    close();
  };
  return (
    <form onSubmit={save} className="grid gap-3">
      <Field
        label="Opens on"
        hint="Until then, whoever has the link sees how long it takes."
        type="datetime-local"
        required
        value={at}
        onChange={(event) => setAt(event.target.value)}
      />
      <Button type="submit" disabled={at === ''}>
        Done
      </Button>
      {notBefore !== undefined && (
        <Without label="At once" onRemove={() => onChange({ notBefore: undefined })} close={close} />
      )}
    </form>
  );
}

/** "3 visits each". */
export function VisitsWord({ rules, onChange, maxVisits }: RulesProps & { maxVisits: number }) {
  return (
    <Word word={nameVisits(maxVisits)} title="Visits">
      {(close) => <VisitsForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

const visits = [1, 2, 3, 5, 10];

/** How often each person may come. */
export function VisitsForm({ rules: { maxVisits }, onChange, close }: FormProps) {
  return (
    <>
      <Choices
        close={close}
        choices={[
          {
            label: 'Any number of visits',
            isOn: maxVisits === undefined,
            pick: () => onChange({ maxVisits: undefined }),
          },
          ...visits.map((count) => ({
            label: nameVisits(count),
            isOn: maxVisits === count,
            pick: () => onChange({ maxVisits: count }),
          })),
        ]}
      />
      <OtherNumber label="Or so many visits" onSave={(count) => onChange({ maxVisits: count })} close={close} />
      <p className="text-13 text-quiet">Coming back within 10 minutes is the same visit.</p>
    </>
  );
}

/** "1 screen at a time". */
export function ScreensWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={nameScreens(rules.maxConcurrent)} title="Screens">
      {(close) => <ScreensForm rules={rules} onChange={onChange} close={close} />}
    </Word>
  );
}

/** On how many screens one person may look at the same time. */
export function ScreensForm({ rules: { maxConcurrent }, onChange, close }: FormProps) {
  return (
    <>
      <Choices
        close={close}
        choices={[1, usualScreens, 3, 5].map((count) => ({
          label: `${formatCount(count, 'screen')}${count === usualScreens ? ', as usual' : ''}`,
          isOn: maxConcurrent === count,
          pick: () => onChange({ maxConcurrent: count }),
        }))}
      />
      <OtherNumber label="Or so many screens" onSave={(count) => onChange({ maxConcurrent: count })} close={close} />
    </>
  );
}

/** The most of what is counted by a rule. */
const most = 1000;

interface OtherProps {
  label: string;
  onSave: (count: number) => void;
  close: () => void;
}

/** Any other number from 1 to 1000. */
export function OtherNumber({ label, onSave, close }: OtherProps) {
  const [typed, setTyped] = useState('');
  const count = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0;
  const isFine = count >= 1 && count <= most;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isFine) return;
    onSave(count);
    close();
  };
  return (
    <form onSubmit={save} className="flex items-end gap-2">
      <Field
        label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        className="flex-1"
        error={typed !== '' && !isFine ? `Enter 1 to ${most}.` : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="outline" className="min-h-12" disabled={!isFine}>
        Set
      </Button>
    </form>
  );
}

/** The button that takes a rule away. */
export function Without({ label, onRemove, close }: { label: string; onRemove: () => void; close: () => void }) {
  return (
    <Button
      variant="outline"
      onClick={() => {
        onRemove();
        close();
      }}
    >
      {label}
    </Button>
  );
}
