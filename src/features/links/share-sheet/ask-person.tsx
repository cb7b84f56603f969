import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';

interface AskPersonProps {
  /** Who reads the name. */
  readers: string;
  open: boolean;
  /** What goes on once it is answered: "Copy link". */
  next: string;
  onClose: () => void;
  /** @param recipientName empty where the question was skipped */
  onAnswer: (recipientName: string) => void;
}

/** Asked once before a link leaves that bears no name: it can be skipped, and the link is untitled then. */
export function AskPerson({ open, readers, onClose, ...rest }: AskPersonProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Who is it for?"
      description={`${readers} It tells you later whose link this is.`}
      initialFocus={field}
    >
      {open && <PersonForm field={field} {...rest} />}
    </Dialog>
  );
}

function PersonForm({
  field,
  next,
  onAnswer,
}: Pick<AskPersonProps, 'next' | 'onAnswer'> & { field: RefObject<HTMLInputElement | null> }) {
  const [name, setName] = useState('');
  const answer = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(name.trim());
  };
  return (
    <form onSubmit={answer} className="grid gap-4">
      <Field
        ref={field}
        label="Name"
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div data-foot className="flex flex-col gap-2 md:flex-row-reverse">
        <Button type="submit">{next}</Button>
        <Button variant="outline" onClick={() => onAnswer('')}>
          Skip
        </Button>
      </div>
    </form>
  );
}
