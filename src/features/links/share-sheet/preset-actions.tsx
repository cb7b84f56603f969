import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, BookmarkX, PencilLine, Pin, PinOff } from 'lucide-react';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { toPreset } from '../presets/preset-rules.ts';
import { presets } from '../presets/presets-calls.tsx';
import type { LinkPreset } from '../presets/presets-contract.ts';
import type { RuleDraft } from './rule-sentence.tsx';

/** Asks for a name and keeps the rules of the sheet under it. */
export function SavePreset({
  draft,
  defaultDays,
}: {
  draft: Pick<RuleDraft, 'rules' | 'expiry'>;
  defaultDays: number;
}) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const save = useWrite(
    presets.create.mutationOptions({
      onSuccess: async ({ name }) => {
        setOpen(false);
        toast.success({ title: `Saved as “${isolate(name)}”` });
        await queries.invalidateQueries({ queryKey: presets.key() });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't save the preset", message }),
    }),
  );
  return (
    <>
      <Button variant="bare" icon={Bookmark} onClick={() => setOpen(true)}>
        Save these rules as a preset
      </Button>
      <NameDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Save these rules as a preset"
        hint="Without the password and the age, which you choose for each link."
        before=""
        busy={save.isPending}
        onSave={(name) => save.mutate({ name, ...toPreset(draft.rules, draft.expiry, defaultDays) })}
      />
    </>
  );
}

/** What can be done with a preset whose rules the sheet shows. */
export function PresetMenu({ preset }: { preset: LinkPreset }) {
  const queries = useQueryClient();
  const [open, setOpen] = useState<'name' | 'delete'>();
  const close = () => setOpen(undefined);
  const settled = {
    onError: ({ message }: Error) => toast.error({ title: "Couldn't change the preset", message }),
    onSettled: () => queries.invalidateQueries({ queryKey: presets.key() }),
  };
  const update = useWrite(presets.update.mutationOptions({ onSuccess: close, ...settled }));
  const remove = useWrite(presets.remove.mutationOptions({ onSuccess: close, ...settled }));
  const { id: presetId, name, isDefault } = preset;
  return (
    <>
      <Menu
        trigger={
          <Button variant="bare" icon={isDefault ? Pin : Bookmark} busy={update.isPending || remove.isPending}>
            {isDefault ? 'New links begin with this preset' : 'Edit this preset'}
          </Button>
        }
        items={[
          {
            label: isDefault ? "Don't begin new links with it" : 'Begin new links with it',
            icon: isDefault ? PinOff : Pin,
            onSelect: () => update.mutate({ presetId, isDefault: !isDefault }),
          },
          { label: 'Rename…', icon: PencilLine, onSelect: () => setOpen('name') },
          { label: 'Delete…', icon: BookmarkX, danger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      <NameDialog
        open={open === 'name'}
        onClose={close}
        title="Rename the preset"
        before={name}
        busy={update.isPending}
        onSave={(changed) => update.mutate({ presetId, name: changed })}
      />
      <ConfirmDialog
        open={open === 'delete'}
        onClose={close}
        title={`Delete “${isolate(name)}”?`}
        description="Links that you made with it keep their rules."
        confirm="Delete preset"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ presetId })}
      />
    </>
  );
}

interface NameDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  hint?: string;
  before: string;
  busy: boolean;
  onSave: (name: string) => void;
}

function NameDialog({ open, onClose, title, ...rest }: NameDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title={title} initialFocus={field}>
      {open && <NameForm field={field} {...rest} />}
    </Dialog>
  );
}

function NameForm({
  field,
  hint,
  before,
  busy,
  onSave,
}: Pick<NameDialogProps, 'hint' | 'before' | 'busy' | 'onSave'> & { field: RefObject<HTMLInputElement | null> }) {
  const [name, setName] = useState(before);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
  };
  return (
    <form onSubmit={save} className="grid gap-4">
      <Field
        ref={field}
        label="Preset name"
        hint={hint}
        required
        maxLength={40}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" busy={busy} disabled={name.trim() === ''}>
        Save
      </Button>
    </form>
  );
}
