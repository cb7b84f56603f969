import { useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Trash2, Undo2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { undoHours } from '#features/media/rules.ts';
import type { Elements } from '#kit/elements.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { dayMs, formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { Card } from '#ui/layout/card.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { useAlbum } from './album-outlet.tsx';
import { type Album, albumsContract, type Sold } from './contract.ts';
import { refundOnDeleteMs } from './rules.ts';

const albums = callsOf('albums', albumsContract);
const refundDays = refundOnDeleteMs / dayMs;

/** Name, words, mark and end of an album. @param children what else can be set */
export function AlbumSettings({ children }: { children: Elements }) {
  const { album, sold } = useAlbum();
  const queries = useQueryClient();
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: albums.key() });
  };
  const update = useWrite(
    albums.update.mutationOptions({
      onSuccess,
      onError: (error) => toast.error({ title: "Couldn't save the change", message: error.message }),
    }),
  );
  return (
    <div className="grid max-w-140 gap-5">
      <WordsForm
        key={album.id}
        album={album}
        busy={update.isPending}
        onSave={(words) =>
          update.mutate({ albumId: album.id, ...words }, { onSuccess: () => void toast.success({ title: 'Saved' }) })
        }
      />
      {children}
      <ViewersCard album={album} onChange={(change) => update.mutate({ albumId: album.id, ...change })} />
      <EndCard album={album} sold={sold} onChanged={onSuccess} />
    </div>
  );
}

interface ViewersCardProps {
  album: Album;
  onChange: (
    change: Partial<Pick<Album, 'watermarkVisible' | 'teaserCount' | 'takesRequests'>> & {
      contentRating?: 'general' | 'suggestive';
    },
  ) => void;
}

/** The mark, and what else viewers see of an album. */
function ViewersCard({ album, onChange }: ViewersCardProps) {
  return (
    <Card className="grid gap-4">
      <h2 className="text-21">What viewers see</h2>
      <MarkChoice album={album} onChange={onChange} />
      <Labelled label="Rating">
        <Segmented
          label="Rating"
          options={[
            { value: 'general', label: 'General' },
            { value: 'suggestive', label: 'Suggestive' },
          ]}
          value={album.contentRating === 'explicit' ? 'suggestive' : album.contentRating}
          onChange={(contentRating) => onChange({ contentRating })}
        />
      </Labelled>
      <Labelled label="Before someone pays">
        <Segmented
          label="Before someone pays"
          options={teaserChoices(album.teaserCount)}
          value={String(album.teaserCount)}
          onChange={(count) => onChange({ teaserCount: Number(count) })}
        />
        <p className="text-13 text-quiet">
          Blurred pictures next to the price of a link. They are made tiny on the server, so nobody can sharpen them.
        </p>
      </Labelled>
      <Switch
        label="Custom requests"
        hint="If you take requests, people looking at this album can ask for one. A link with several albums offers this as long as one of them does."
        checked={album.takesRequests}
        onChange={(takesRequests) => onChange({ takesRequests })}
      />
    </Card>
  );
}

/** The mark for the eye, and what is there without it. */
function MarkChoice({ album, onChange }: ViewersCardProps) {
  return (
    <Labelled label="Visible mark">
      <Segmented
        label="Visible mark"
        options={[
          { value: 'tiled', label: 'Everywhere' },
          { value: 'corner', label: 'In a corner' },
          { value: 'off', label: 'None' },
        ]}
        value={album.watermarkVisible}
        onChange={(watermarkVisible) => onChange({ watermarkVisible })}
      />
      <p className="text-13 text-quiet">
        Your name and a code for each viewer, drawn into the picture. The invisible mark that identifies the link is
        always on.
      </p>
    </Labelled>
  );
}

/** None or a few pictures; another number that was set by a call stays to be seen. */
const teaserChoices = (count: number) =>
  [...new Set([0, 3, 6, 12, count])]
    .sort((a, b) => a - b)
    .map((each) => ({ value: String(each), label: each === 0 ? 'Nothing' : String(each) }));

/** The name of a choice for the eye; for whoever does not see the row, it has it already. */
function Labelled({ label, children }: { label: string; children: Elements }) {
  return (
    <div className="grid gap-1.5">
      <span aria-hidden="true" className="font-medium">
        {label}
      </span>
      {children}
    </div>
  );
}

function WordsForm({
  album,
  busy,
  onSave,
}: {
  album: Album;
  busy: boolean;
  onSave: (words: { name: string; description: string }) => void;
}) {
  const [name, setName] = useState(album.name);
  const [description, setDescription] = useState(album.description);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ name, description });
  };
  return (
    <form onSubmit={submit}>
      <Card className="grid gap-4">
        <Field label="Name" value={name} onChange={(event) => setName(event.target.value)} maxLength={80} required />
        <Textarea
          label="Description"
          hint="Only you see it. Viewers read the welcome text of their link."
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          maxLength={1000}
          rows={3}
        />
        <Button
          type="submit"
          busy={busy}
          disabled={name.trim() === '' || (name === album.name && description === album.description)}
          className="justify-self-start"
        >
          Save
        </Button>
      </Card>
    </form>
  );
}

/** What deleting means, and for whoever has bought it. */
function describeDeleting({ buyers, refundCents }: Sold): string {
  const end = `Every link to it stops working now. You can undo this for ${undoHours} hours.`;
  if (buyers === 0) return end;
  const back =
    refundCents === 0
      ? 'Nothing is refunded.'
      : `After that, purchases of the last ${refundDays} days, and those that were never opened, are refunded (${formatMoney(refundCents)}).`;
  return `${formatCount(buyers, 'person', 'people')} bought this. ${end} ${back}`;
}

/** Returns what ends an album, and what brings it back. */
function useLifecycle(onChanged: () => Promise<void>) {
  const options = {
    onSuccess: onChanged,
    onError: (error: Error) => void toast.error({ title: "Couldn't save the change", message: error.message }),
  };
  const archive = useWrite(albums.archive.mutationOptions(options));
  const unarchive = useWrite(albums.unarchive.mutationOptions(options));
  const remove = useWrite(albums.remove.mutationOptions(options));
  const restore = useWrite(albums.restore.mutationOptions(options));
  return { archive, unarchive, remove, restore };
}

function EndCard({ album, sold, onChanged }: { album: Album; sold: Sold; onChanged: () => Promise<void> }) {
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const { archive, unarchive, remove, restore } = useLifecycle(onChanged);
  const input = { albumId: album.id };
  return (
    <Card className="grid gap-3">
      <h2 className="text-21">Archive or delete</h2>
      <p className="text-quiet">
        <span>
          {album.state === 'deleting'
            ? 'This album is deleted. You can restore it until'
            : `An archived album stays with you, but its links say it's unavailable. A deleted album can be restored for ${undoHours} hours; after that, its keys are destroyed.`}
        </span>
        {album.deleteAt && <strong className="block text-ink">{formatMoment(album.deleteAt, now)}</strong>}
      </p>
      <div className="flex flex-wrap gap-2">
        {album.state === 'ready' && (
          <Button variant="outline" icon={Archive} busy={archive.isPending} onClick={() => archive.mutate(input)}>
            Archive
          </Button>
        )}
        {album.state === 'archived' && (
          <Button
            variant="outline"
            icon={ArchiveRestore}
            busy={unarchive.isPending}
            onClick={() => unarchive.mutate(input)}
          >
            Restore
          </Button>
        )}
        {album.state === 'deleting' && (
          <Button icon={Undo2} busy={restore.isPending} onClick={() => restore.mutate(input)}>
            Undo delete
          </Button>
        )}
        {album.state !== 'deleting' && (
          <Button variant="quietDanger" icon={Trash2} onClick={() => setAsking(true)}>
            Delete album
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete “${isolate(album.name)}”?`}
        description={describeDeleting(sold)}
        confirm="Delete album"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(input, { onSettled: () => setAsking(false) })}
      />
    </Card>
  );
}
