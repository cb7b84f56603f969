import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { albumsContract } from '../contract.ts';

const albums = callsOf('albums', albumsContract);

interface NewAlbumProps {
  open: boolean;
  onClose: () => void;
  /** What the new album's page is told. */
  search?: string;
}

/** A name is all that a new album needs; everything else comes later. */
export function NewAlbumDialog({ open, onClose, search = '' }: NewAlbumProps) {
  const [name, setName] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useWrite(
    albums.create.mutationOptions({
      onSuccess: async (album) => {
        await queries.invalidateQueries({ queryKey: albums.list.key() });
        // In the place of this dialog: Back leads to the albums, not to a form that is done.
        await navigate(`/albums/${album.id}${search}`, { replace: true });
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New Album"
      description="Only people with one of your links can see it."
      initialFocus={nameField}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field
          ref={nameField}
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={80}
          required
          autoComplete="off"
          error={create.error?.message}
        />
        <Button type="submit" busy={create.isPending} disabled={name.trim() === ''}>
          Create album
        </Button>
      </form>
    </Dialog>
  );
}
