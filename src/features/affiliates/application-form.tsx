import { MailCheck } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { FieldNote } from '#ui/forms/field-frame.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';

import { affiliates } from './affiliate-calls.tsx';
import { Application } from './contract.ts';

/**
 * Asks who wants to recommend the place. As it comes from the server it sleeps: without a script nothing could be sent.
 * @param contact the way for whoever has no script
 */
export function ApplicationForm({ contact }: { contact?: string }) {
  const [isAwake, setAwake] = useState(false);
  const [isSent, setSent] = useState(false);
  useEffect(() => setAwake(true), []);
  const form = useForm({
    shape: Application,
    initial: { name: '', email: '', audience: '', marksAds: false },
    send: async (input) => {
      await affiliates.apply.call(input);
      setSent(true);
    },
  });
  if (isSent) return <Received />;
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Your name or your brand's"
          hint="Whoever follows your link reads it: “Invited by …”."
          autoComplete="organization"
          maxLength={80}
          {...form.text('name')}
        />
        <Field label="Email" type="email" autoComplete="email" inputMode="email" {...form.text('email')} />
      </div>
      <Textarea
        label="Who would you tell, and where?"
        hint="For example: creators I manage, a newsletter, a channel and its address."
        maxLength={1000}
        {...form.text('audience')}
      />
      <Disclosure {...form.box('marksAds')} />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <p className="text-13 text-quiet">
        <span>
          {'We keep an application for a year, or for as long as you are a partner, and use it for nothing else: '}
        </span>
        <a href="/privacy-policy" className="touch-44 font-strong text-plum underline underline-offset-2">
          privacy policy
        </a>
      </p>
      <div>
        <Button type="submit" size="large" busy={form.isBusy} disabled={!isAwake}>
          Apply
        </Button>
      </div>
      {!isAwake && contact && <p>{`The form needs JavaScript. ${contact}`}</p>}
    </form>
  );
}

interface DisclosureProps {
  name: string;
  checked: boolean;
  error: string | undefined;
  onChange: (checked: boolean) => void;
}

/** A box of the browser's own: ours brings style attributes, which the policy of public pages refuses. */
function Disclosure({ error, onChange, ...rest }: DisclosureProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 items-start gap-3 py-2.5">
        <input
          {...rest}
          type="checkbox"
          onChange={({ target }) => onChange(target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          className="mt-0.5 size-5.5 flex-none accent-plum"
        />
        <span className="min-w-0">I'll say that my links are advertising, wherever I share them</span>
      </label>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  );
}

/** Said alike to everybody, whatever is known of the address. */
function Received() {
  const title = useRef<HTMLHeadingElement>(null);
  // The form went away with the focus in it.
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="grid justify-items-start gap-3">
      <span className="grid size-13 place-items-center rounded-full bg-moss-wash text-moss">
        <MailCheck />
      </span>
      <h3 ref={title} tabIndex={-1} className="text-28 outline-none">
        We have your application
      </h3>
      <p className="text-quiet">We read every application ourselves and answer by email.</p>
    </div>
  );
}
