import { type FormEvent, useState } from 'react';
import { dayMs, formatDate, hourMs, minuteMs } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import type { ExpiryInput, LinkRulesInput } from '../contract.ts';
import { nameAge, nameAudience, nameSpan } from '../link-texts.ts';
import { nameEnd } from '../offers/gate-texts.ts';
import { longestOpenMs } from '../policy.ts';
import { OtherNumber } from './limit-parts.tsx';
import type { RulesProps } from './rules-props.ts';
import { type Choice, Choices, Word } from './sentence-part.tsx';

const spansMs = [10 * minuteMs, hourMs, dayMs, 3 * dayMs, 7 * dayMs];
const budgetsMs = [minuteMs, 5 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs];

/** "any time", "for 24 hours after it's first opened", "for 10 minutes in total"; only the span itself can be tapped, so lines break well. */
export function TimeWord({ rules: { openForMs, viewBudgetMs }, onChange }: RulesProps) {
  const span = viewBudgetMs ?? openForMs;
  const choose = (open: number | undefined, budget: number | undefined): Choice['pick'] => {
    return () => onChange({ openForMs: open, viewBudgetMs: budget });
  };
  const any = {
    label: 'Any time until it ends',
    isOn: openForMs === undefined && viewBudgetMs === undefined,
    pick: choose(undefined, undefined),
  };
  const spans = spansMs.map((ms) => ({
    label: `${nameSpan(ms)} after it's first opened`,
    isOn: openForMs === ms,
    pick: choose(ms, undefined),
  }));
  const budgets = budgetsMs.map((ms) => ({
    label: `${nameSpan(ms)} of viewing time in total`,
    isOn: viewBudgetMs === ms,
    pick: choose(undefined, ms),
  }));
  return (
    <>
      {span !== undefined && <span>{'for '}</span>}
      <Word word={span === undefined ? 'any time' : nameSpan(span)} title="Viewing time">
        {(close) => (
          <>
            <Choices choices={[any, ...spans, ...budgets]} close={close} />
            <OtherSpan onSave={(ms) => onChange({ openForMs: ms, viewBudgetMs: undefined })} close={close} />
          </>
        )}
      </Word>
      {viewBudgetMs !== undefined && <span>{' in total'}</span>}
      {viewBudgetMs === undefined && openForMs !== undefined && <span>{" after it's first opened"}</span>}
    </>
  );
}

const units = [
  { value: 'minutes', label: 'minutes', ms: minuteMs },
  { value: 'hours', label: 'hours', ms: hourMs },
  { value: 'days', label: 'days', ms: dayMs },
] as const;

/** Any other span from the first opening: from a minute to a year. */
function OtherSpan({ onSave, close }: { onSave: (ms: number) => void; close: () => void }) {
  const [typed, setTyped] = useState('');
  const [unit, setUnit] = useState<(typeof units)[number]['value']>('hours');
  const unitMs = units.find(({ value }) => value === unit)?.ms ?? hourMs;
  const ms = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) * unitMs : 0;
  const isFine = ms >= minuteMs && ms <= longestOpenMs;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isFine) return;
    onSave(ms);
    close();
  };
  return (
    <form onSubmit={save} className="grid gap-2">
      <div className="flex items-end gap-2">
        <Field
          label="Or from first opening"
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          className="flex-1"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" variant="outline" className="min-h-12" disabled={!isFine}>
          Set
        </Button>
      </div>
      <Segmented label="Unit" options={units} value={unit} onChange={setUnit} />
      <p role="status" className="text-13 text-rust empty:hidden">
        {typed !== '' && !isFine && 'Choose between 1 minute and 365 days.'}
      </p>
    </form>
  );
}

const audiences: readonly { label: string; change: Pick<LinkRulesInput, 'bindFirstViewer' | 'maxViewers'> }[] = [
  { label: 'Anyone who has the link', change: { bindFirstViewer: undefined, maxViewers: undefined } },
  { label: 'Only the first person who opens it', change: { bindFirstViewer: true, maxViewers: undefined } },
  ...[2, 3, 5, 10].map((people) => ({
    label: `The first ${people} people`,
    change: { bindFirstViewer: undefined, maxViewers: people },
  })),
];

/** "anyone who has it", "one person", "3 people". */
export function AudienceWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={nameAudience(rules)} title="Who can open it">
      {(close) => (
        <>
          <Choices
            close={close}
            choices={audiences.map(({ label, change }) => ({
              label,
              isOn:
                change.maxViewers === rules.maxViewers &&
                Boolean(change.bindFirstViewer) === Boolean(rules.bindFirstViewer),
              pick: () => onChange(change),
            }))}
          />
          <OtherNumber
            label="Or so many people"
            onSave={(people) => onChange({ bindFirstViewer: undefined, maxViewers: people })}
            close={close}
          />
        </>
      )}
    </Word>
  );
}

const ages = [
  { label: 'Adults only', ageGate: true },
  { label: 'Any age', ageGate: false },
];

/** "adults only", "any age"; the first asks "Are you 18 or older?" before anything is shown. */
export function AgeWord({ rules, onChange }: RulesProps) {
  return (
    <Word word={nameAge(rules)} title="Age">
      {(close) => (
        <>
          <Choices
            close={close}
            choices={ages.map(({ label, ageGate }) => ({
              label,
              isOn: ageGate === rules.ageGate,
              pick: () => onChange({ ageGate }),
            }))}
          />
          <p className="text-13 text-quiet">“Adults only” asks “Are you 18 or older?” first.</p>
        </>
      )}
    </Word>
  );
}

const ends: readonly { label: string; hours: number }[] = [
  { label: 'In 1 hour', hours: 1 },
  { label: 'In 24 hours', hours: 24 },
  { label: 'In 7 days', hours: 7 * 24 },
  { label: 'In 30 days', hours: 30 * 24 },
];

/** The end in the words of the sentence. */
function describeEnd(expiry: ExpiryInput, now: Date): string {
  if (expiry.kind === 'never') return 'never';
  if (expiry.kind === 'at') return nameEnd(expiry.at, now);
  if (expiry.hours <= 24) return expiry.hours === 1 ? 'in 1 hour' : `in ${expiry.hours} hours`;
  return formatDate(new Date(now.getTime() + expiry.hours * hourMs), now);
}

/** "20 Dec", "in 1 hour", "never". */
export function EndWord({ expiry, onChange }: { expiry: ExpiryInput; onChange: (expiry: ExpiryInput) => void }) {
  const now = useNow();
  return (
    <Word word={describeEnd(expiry, now)} title="When it ends">
      {(close) => (
        <>
          <Choices
            close={close}
            choices={[
              ...ends.map(({ label, hours }) => ({
                label,
                isOn: expiry.kind === 'after' && expiry.hours === hours,
                pick: () => onChange({ kind: 'after', hours }),
              })),
              { label: 'Never', isOn: expiry.kind === 'never', pick: () => onChange({ kind: 'never' }) },
            ]}
          />
          <EndDate onSave={(at) => onChange({ kind: 'at', at })} close={close} />
        </>
      )}
    </Word>
  );
}

/** A day of the calendar; the link lives through all of it, where its maker is. */
function EndDate({ onSave, close }: { onSave: (at: Date) => void; close: () => void }) {
  const [day, setDay] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(new Date(`${day}T23:59:59`));
    close();
  };
  return (
    <form onSubmit={save} className="flex items-end gap-2">
      <Field
        label="Or at the end of"
        type="date"
        required
        className="flex-1"
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <Button type="submit" variant="outline" className="min-h-12" disabled={day === ''}>
        Set
      </Button>
    </form>
  );
}
