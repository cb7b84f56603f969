import { ImageUp, Trash2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Avatar } from '#ui/pictures/avatar.tsx';
import type { Me } from '../contract.ts';
import { FormFault } from './auth-frame.tsx';

const address = '/api/profile/avatar';
const lost = 'The connection was lost. Please try again.';

/** Sends a file, or takes the picture away. @returns why it was refused, ready to show */
async function send(request: RequestInit): Promise<string | undefined> {
  try {
    const answer = await fetch(address, request);
    if (answer.ok) return undefined;
    const { message } = (await answer.json()) as { message?: string };
    return message ?? lost;
  } catch {
    return lost;
  }
}

type AvatarFieldProps = {
  user: Pick<NonNullable<Me['user']>, 'displayName' | 'avatarUrl'>;
  onChanged: () => Promise<void>;
};

/** Sends what was chosen, or takes the picture away; what is being done, and why it was refused. */
function useAvatarChange(onChanged: AvatarFieldProps['onChanged'], chooser: RefObject<HTMLButtonElement | null>) {
  const [busyWith, setBusyWith] = useState<'choose' | 'remove'>();
  const [fault, setFault] = useState<string>();
  const change = async (what: 'choose' | 'remove', request: RequestInit) => {
    setBusyWith(what);
    setFault(undefined);
    const refused = await send(request);
    if (refused === undefined) {
      await onChanged();
      toast.success({ title: what === 'choose' ? 'Picture saved' : 'Picture removed' });
    }
    setFault(refused);
    setBusyWith(undefined);
    // The button that was pressed is gone.
    if (what === 'remove' && refused === undefined) chooser.current?.focus();
  };
  return { busyWith, fault, change };
}

/** The picture of oneself: choose, replace, remove. It is saved at once, apart from the form it stands in. */
export function AvatarField({ user: { displayName, avatarUrl }, onChanged }: AvatarFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const { busyWith, fault, change } = useAvatarChange(onChanged, chooser);
  const choose = (file: File | undefined) => {
    if (file !== undefined)
      void change('choose', { method: 'PUT', body: file, headers: { 'content-type': 'application/octet-stream' } });
  };
  return (
    <section aria-label="Your picture" className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3">
      <Avatar name={displayName} src={avatarUrl} size="huge" />
      <div className="grid justify-items-start gap-2">
        <span className="font-strong">Your picture</span>
        <div className="flex flex-wrap gap-2">
          <Button
            ref={chooser}
            variant="outline"
            icon={ImageUp}
            busy={busyWith === 'choose'}
            disabled={busyWith !== undefined}
            onClick={() => input.current?.click()}
          >
            {avatarUrl === null ? 'Choose a photo' : 'Replace'}
          </Button>
          {avatarUrl !== null && (
            <Button
              variant="bare"
              icon={Trash2}
              busy={busyWith === 'remove'}
              disabled={busyWith !== undefined}
              onClick={() => change('remove', { method: 'DELETE' })}
            >
              Remove
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/*,.heic,.heif"
          aria-label="Photo for your picture"
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            choose(target.files?.[0]);
            target.value = '';
          }}
        />
      </div>
      <p className="col-span-2 text-13 text-quiet">
        Optional. Viewers see it next to your name, even before the age check. It's cropped to a square, and location
        and time are removed.
      </p>
      <div className="col-span-2 empty:hidden">{fault && <FormFault>{fault}</FormFault>}</div>
    </section>
  );
}
