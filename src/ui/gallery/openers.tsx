import { Ban, Copy, Ellipsis, Pencil, QrCode, Share, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { Popover } from '#ui/dialogs/popover.tsx';
import { Sheet } from '#ui/dialogs/sheet.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Sentence, SentenceWord } from '#ui/forms/sentence.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';
import { Card } from '#ui/layout/card.tsx';

const nothing = () => undefined;
const endings = ['24 hours', '7 days', '30 days'].map((label) => ({ label, onSelect: nothing }));

/** What opens over the page. */
export function Openers() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'sheet'>();
  const close = () => setOpen(undefined);
  return (
    <GallerySection title="Dialogs, sheets, menus">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="outline" onClick={() => setOpen('dialog')}>
          Dialog
        </Button>
        <Button variant="outline" onClick={() => setOpen('confirm')}>
          Confirmation
        </Button>
        <Button variant="outline" onClick={() => setOpen('sheet')}>
          Link sheet
        </Button>
        <Popover trigger={<Button variant="outline">Popover</Button>} title="How we count">
          <p className="text-quiet">
            A view starts with the first photo and ends after 30 minutes without anyone looking.
          </p>
        </Popover>
        <Menu
          trigger={<IconButton icon={Ellipsis} label="More about Bob" />}
          items={[
            { label: 'Copy link', icon: Copy, onSelect: nothing },
            { label: 'Rename', icon: Pencil, onSelect: nothing },
            { label: 'Show QR code', icon: QrCode, onSelect: nothing, disabled: true },
            'line',
            { label: 'Revoke', icon: Ban, onSelect: nothing, danger: true },
          ]}
        />
      </div>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="New album"
        description="Only you can see it until you create a link."
        actions={<Button onClick={close}>Create album</Button>}
      >
        <Field label="Name" placeholder="Golden hour" />
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete Golden hour?"
        description="Its 24 photos and 2 links go with it. You can undo this for 72 hours."
        confirm="Delete album"
        onConfirm={close}
        danger
      />
      <LinkSheet open={open === 'sheet'} onClose={close} />
    </GallerySection>
  );
}

const presets = ['Just look', 'Pay to open', '24 hours only', 'One person', 'Ask me first'].map((label) => ({
  value: label,
  label,
}));

function LinkSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [preset, setPreset] = useState('24 hours only');
  const footer = (
    <>
      <Button size="large" icon={Copy} className="flex-1">
        Copy link
      </Button>
      <IconButton icon={Share} label="Share" variant="outline" shape="square" />
      <IconButton icon={QrCode} label="QR code" variant="outline" shape="square" />
    </>
  );
  return (
    <Sheet open={open} onClose={onClose} title="New link to Golden hour" footer={footer}>
      <Sentence>
        For <Menu trigger={<SentenceWord>Bob</SentenceWord>} items={endings} />, open for{' '}
        <Menu trigger={<SentenceWord>24 hours</SentenceWord>} items={endings} /> after it's first opened, on{' '}
        <Menu trigger={<SentenceWord>one device</SentenceWord>} items={endings} />. Ends{' '}
        <Menu trigger={<SentenceWord>20 Dec</SentenceWord>} items={endings} />.
      </Sentence>
      <div className="mt-5">
        <Chips label="Kind of link" options={presets} value={preset} onChange={setPreset} />
      </div>
      <Card tone="sunk" className="mt-4 flex items-center gap-3 px-3.5 py-3 text-13">
        <ShieldCheck className="size-5" />
        Everything Bob sees is marked for him. If it leaks, you can find out which link it came from.
      </Card>
    </Sheet>
  );
}
