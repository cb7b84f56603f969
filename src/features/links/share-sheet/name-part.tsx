import { Tag } from 'lucide-react';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Word } from './sentence-part.tsx';

interface NameProps {
  linkName: string;
  /** What it is called when nobody says anything. */
  suggested: string;
  onChange: (linkName: string) => void;
}

/** The button that asks what a link is to be called; afterwards it says the name. */
export function NameWord(props: NameProps) {
  const field = useRef<HTMLInputElement>(null);
  const button = (
    <Button variant="bare" icon={Tag} className="min-w-0 max-w-full">
      <span className="truncate">{props.linkName === '' ? 'Link name' : `Named “${isolate(props.linkName)}”`}</span>
    </Button>
  );
  return (
    <Word word={button} title="Link name" initialFocus={field}>
      {(close) => <NameForm field={field} close={close} {...props} />}
    </Word>
  );
}

function NameForm({
  field,
  linkName,
  suggested,
  onChange,
  close,
}: NameProps & { field: RefObject<HTMLInputElement | null>; close: () => void }) {
  const [name, setName] = useState(linkName);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onChange(name.trim());
    close();
  };
  return (
    <form onSubmit={save} className="grid gap-3">
      <Field
        ref={field}
        label="Link name"
        hint={suggested === '' ? 'Only you see it.' : `Only you see it. Leave it empty to use “${suggested}”.`}
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit">Done</Button>
    </form>
  );
}
