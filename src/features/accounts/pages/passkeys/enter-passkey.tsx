import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { passkeys } from '../../guard.tsx';
import { requestPasskey } from '../../passkeys/in-browser.tsx';

/** Stands in for a code of the app: one of the own passkeys. */
export function EnterPasskey({ onDone }: { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    try {
      const credential = await requestPasskey(await passkeys.beginEnter.call({}));
      if (credential !== undefined) {
        await passkeys.enter.call({ credential });
        onDone();
      }
    } catch (error) {
      toast.error({ title: "Couldn't use the passkey", message: Object.values(faultsOf(error))[0] });
    }
    setBusy(false);
  };
  return (
    <Button variant="outline" icon={KeyRound} className="justify-self-start" busy={isBusy} onClick={() => enter()}>
      Use a passkey instead
    </Button>
  );
}
