import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { type Me, Profile } from '../contract.ts';
import { accounts, useMe } from '../guard.tsx';
import { FormFault } from './auth-frame.tsx';
import { AvatarField } from './avatar-field.tsx';
import { HandleField, PlaceFields } from './profile-fields.tsx';
import { PublicPageSwitch } from './public-page-switch.tsx';

const bioLength = 300;

export default function ProfileDetailsPage() {
  const { me, askAgain } = useMe();
  if (!me?.user) return null;
  const onSaved = async () => void (await askAgain());
  return (
    <div className="grid max-w-160 gap-5">
      <Details key={me.user.id} user={me.user} onSaved={onSaved} />
      <PublicPageSwitch user={me.user} onChanged={onSaved} />
    </div>
  );
}

function Details({ user, onSaved }: { user: NonNullable<Me['user']>; onSaved: () => Promise<void> }) {
  const form = useForm({
    shape: Profile,
    initial: {
      displayName: user.displayName,
      handle: user.handle ?? '',
      bio: user.bio,
      country: user.country ?? '',
      timeZone: user.timeZone,
    },
    send: async (input) => {
      await accounts.updateProfile.call(input);
      await onSaved();
      toast.success({ title: 'Saved' });
    },
  });
  const { bio, country, timeZone } = form.values;
  return (
    <Card className="grid gap-6">
      <AvatarField user={user} onChanged={onSaved} />
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <Field
          label="Display name"
          autoComplete="nickname"
          maxLength={40}
          hint="Viewers see it above your links."
          {...form.text('displayName')}
        />
        <HandleField own={user.handle ?? undefined} {...form.text('handle')} />
        <Textarea
          label="Bio"
          maxLength={bioLength}
          hint={`${bio.length} of ${bioLength} characters`}
          {...form.text('bio')}
        />
        <PlaceFields
          country={country === '' ? undefined : country}
          timeZone={timeZone}
          faults={form.faults}
          onCountry={(value) => form.set('country', value)}
          onTimeZone={(value) => form.set('timeZone', value)}
        />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" busy={form.isBusy} className="justify-self-start">
          Save changes
        </Button>
      </form>
    </Card>
  );
}
