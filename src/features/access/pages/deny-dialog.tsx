import { type FormEvent, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import type { Denial } from '../use-decisions.tsx';

interface DenyDialogProps {
  open: boolean;
  /** Who asked. */
  name: string;
  onClose: () => void;
  onDeny: (denial: Denial) => void;
}

/** Turns a request down in the creator's own words. */
export function DenyDialog({ open, name, onClose, onDeny }: DenyDialogProps) {
  const [text, setText] = useState('');
  const [mayAskAgain, setMayAskAgain] = useState(true);
  const deny = (event: FormEvent) => {
    event.preventDefault();
    onDeny({ text, mayAskAgain, isBlocked: false });
    setText('');
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Deny ${name}`}
      description="What you write is shown to them, and mailed if they left an address."
    >
      <form onSubmit={deny} className="grid gap-4">
        <Textarea label="Text" maxLength={300} value={text} onChange={(event) => setText(event.target.value)} />
        <Switch
          label="They may ask again"
          hint="After some days. Off: never, for these albums."
          checked={mayAskAgain}
          onChange={setMayAskAgain}
        />
        <Button type="submit">Deny request</Button>
      </form>
    </Dialog>
  );
}
