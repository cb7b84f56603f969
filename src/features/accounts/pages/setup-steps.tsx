import { ArrowRight, Images, Telescope } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod';
import { formatCount } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { type Me, Password, SetupProfile } from '../contract.ts';
import { accounts } from '../guard.tsx';
import { suggestHandle } from '../rules.ts';
import { FormFault } from './auth-frame.tsx';
import { AvatarField } from './avatar-field.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { HandleField, PlaceFields } from './profile-fields.tsx';

type Saved = () => Promise<void>;

/** First: a password. */
export function PasswordStep({ email, onSaved }: { email: string; onSaved: Saved }) {
  const form = useForm({
    shape: z.object({ password: Password }),
    initial: { password: '' },
    send: async (input) => {
      await accounts.setUpPassword.call(input);
      await onSaved();
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField label="Password" email={email} {...form.text('password')} />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" size="large" busy={form.isBusy}>
        Next
      </Button>
    </form>
  );
}

/** Second: name, handle, a picture for who wants one, place. */
export function ProfileStep({
  user,
  onSaved,
  onPicture,
}: {
  user: NonNullable<Me['user']>;
  onSaved: Saved;
  onPicture: Saved;
}) {
  const form = useForm({
    shape: SetupProfile,
    initial: {
      displayName: user.displayName,
      handle: user.handle ?? '',
      country: user.country ?? guessCountry(),
      timeZone: user.timeZone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : user.timeZone,
    },
    send: async (input) => {
      await accounts.setUpProfile.call(input);
      await onSaved();
    },
  });
  const { displayName, handle, country, timeZone } = form.values;
  const nameSelf = ({ target }: { target: { value: string } }) => {
    // A handle that they did not write themselves follows their name.
    if (handle === suggestHandle(displayName)) form.set('handle', suggestHandle(target.value));
    form.set('displayName', target.value);
  };
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <Field
        label="Display name"
        autoComplete="nickname"
        maxLength={40}
        hint="Viewers see it above your links. It doesn't have to be your real name."
        {...form.text('displayName')}
        onChange={nameSelf}
      />
      <HandleField own={user.handle ?? undefined} {...form.text('handle')} />
      <AvatarField user={{ displayName, avatarUrl: user.avatarUrl }} onChanged={onPicture} />
      <PlaceFields
        country={country === '' ? undefined : country}
        timeZone={timeZone}
        faults={form.faults}
        onCountry={(value) => form.set('country', value)}
        onTimeZone={(value) => form.set('timeZone', value)}
      />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" size="large" busy={form.isBusy}>
        Next
      </Button>
    </form>
  );
}

/** The region of the browser's language, as a first guess to be corrected. */
const guessCountry = () => new Intl.Locale(navigator.language).region ?? '';

const ways = [
  {
    to: '/albums?new=1',
    icon: Images,
    title: 'Upload photos',
    text: 'Create your first album. Only people with one of your links can see it.',
  },
  { to: '/', icon: Telescope, title: 'Look around', text: 'Explore the studio first.' },
] as const;

const goOn = { icon: ArrowRight, title: 'Continue', text: 'Go to the page you came for.' } as const;

/** Returns how the account begins. */
function describeStart({ isFreeUser, freeUntil, plan, now }: Me): string {
  if (isFreeUser)
    return freeUntil ? `Your account is free until ${formatDate(freeUntil, now)}.` : 'Your account is free for good.';
  return `Your free trial lasts ${formatCount(plan.trialDays, 'day')}, one trial per email address. You won't be charged.`;
}

/** Last: where to begin. The choice opens the account. */
export function FirstStep({
  me,
  wanted,
  onFinish,
  onFinished,
}: {
  me: Me;
  /** The page that the person came for. */
  wanted: string | undefined;
  onFinish: () => void;
  onFinished: () => Promise<void>;
}) {
  const navigate = useNavigate();
  const [busyWith, setBusy] = useState<string>();
  const [fault, setFault] = useState<string>();
  const finish = async (to: string) => {
    setBusy(to);
    setFault(undefined);
    try {
      await accounts.finishSetup.call();
      onFinish();
      await onFinished();
      await navigate(to, { replace: true });
      toast.success({ title: 'Account Created!', message: 'Welcome to PrivateFans™', goesAlong: true });
    } catch (error) {
      setFault(Object.values(faultsOf(error))[0]);
      setBusy(undefined);
    }
  };
  return (
    <div className="grid gap-3">
      <p className="text-quiet">{describeStart(me)}</p>
      {[...(wanted === undefined ? [] : [{ ...goOn, to: wanted }]), ...ways].map(({ to, icon: Icon, title, text }) => (
        <button
          key={title}
          type="button"
          disabled={busyWith !== undefined}
          aria-busy={busyWith === to || undefined}
          onClick={() => finish(to)}
          className="flex min-h-21 items-center gap-4 rounded-card border border-line bg-raised p-5 text-left transition hover:border-edge disabled:opacity-50"
        >
          <span className="grid size-13 flex-none place-items-center rounded-full bg-plum-wash text-plum">
            <Icon />
          </span>
          <span className="grid gap-0.5">
            <span className="font-strong">{title}</span>
            <span className="text-13 text-quiet">{text}</span>
          </span>
        </button>
      ))}
      <FormFault>{fault}</FormFault>
    </div>
  );
}
