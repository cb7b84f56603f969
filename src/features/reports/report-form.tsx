import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { type Faults, useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { Report } from './contract.ts';
import { kindOptions, whoOptions } from './report-words.ts';
import { reports } from './reports-calls.tsx';

const describeFailure = (faults: Faults, error?: unknown) => {
  if (error !== undefined) toast.error({ title: "Couldn't send your report", message: Object.values(faults)[0] });
};

const empty = {
  kind: undefined as Report['kind'] | undefined,
  target: '',
  details: '',
  onBehalf: 'self' as Report['onBehalf'],
  name: '',
  email: '',
  isInGoodFaith: false,
};

/** A report by anybody, with or without an account. */
export function ReportForm() {
  const [number, setNumber] = useState<string>();
  const form = useForm({
    shape: Report,
    initial: empty,
    send: async (input) => setNumber((await reports.send.call(input)).number),
    onFault: describeFailure,
  });
  if (number !== undefined) return <Received number={number} />;
  return (
    <form onSubmit={form.submit} noValidate aria-label="Report" className="grid gap-5">
      <Select
        label="What is wrong?"
        placeholder="Choose one"
        options={kindOptions}
        value={form.values.kind}
        error={form.faults.kind}
        onChange={(kind) => form.set('kind', kind)}
      />
      <Field
        label="Link or page"
        hint="Paste the whole address, if you have it."
        autoComplete="off"
        {...form.text('target')}
      />
      <Textarea
        label="What does it show?"
        hint="Say which picture or video it is and what is wrong with it. Never send the picture itself."
        rows={4}
        {...form.text('details')}
      />
      <WhoItIsAbout value={form.values.onBehalf} onChange={(onBehalf) => form.set('onBehalf', onBehalf)} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Your full name" hint="It counts as your signature." autoComplete="name" {...form.text('name')} />
        <Field
          label="Your email"
          hint="Where the decision is sent."
          type="email"
          autoComplete="email"
          inputMode="email"
          {...form.text('email')}
        />
      </div>
      <Checkbox
        label="I confirm in good faith that what I say is true, and that I am the person it is about or act for them."
        {...form.box('isInGoodFaith')}
      />
      <Button type="submit" size="large" busy={form.isBusy} className="justify-self-start">
        Send report
      </Button>
    </form>
  );
}

interface WhoItIsAboutProps {
  value: Report['onBehalf'];
  onChange: (value: Report['onBehalf']) => void;
}

function WhoItIsAbout({ value, onChange }: WhoItIsAboutProps) {
  return (
    <div className="grid justify-items-start gap-1.5">
      <p aria-hidden="true" className="font-medium">
        Who is it about?
      </p>
      <Segmented label="Who is it about?" options={whoOptions} value={value} onChange={onChange} />
    </div>
  );
}

function Received({ number }: { number: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  // The form went away with the focus in it.
  useEffect(() => title.current?.focus(), []);
  return (
    <Card aria-label="Report received" className="grid gap-3">
      <h2 ref={title} tabIndex={-1} className="text-21 outline-none">
        We received your report
      </h2>
      <p>
        Its number is <strong>{number}</strong>. A person will decide, and you'll be told by email.
      </p>
      <p className="text-quiet">
        If you or someone else is in danger, call your local emergency number now. StopNCII.org can have an intimate
        picture blocked on many other platforms without it being uploaded anywhere.
      </p>
    </Card>
  );
}
