import { type ComponentType, type MouseEvent, useState } from 'react';

type Panel = ComponentType<{ open: boolean; onClose: () => void }>;

/**
 * "Support" at the foot of a page: a way to the contact page, where a script runs a dialog. On pages without React the script of
 * the site does the same (`data-support`).
 */
export function SupportLink({ className }: { className: string }) {
  const [Dialog, setDialog] = useState<Panel>();
  const [isOpen, setOpen] = useState(false);
  const open = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    try {
      const { ContactDialog } = await import('#features/support/contact-dialog.tsx');
      setDialog(() => ContactDialog);
      setOpen(true);
    } catch {
      location.assign('/contact'); // A part of the program did not come: the page is another way.
    }
  };
  return (
    <>
      <a href="/contact" data-support="" className={className} onClick={(event) => void open(event)}>
        Support
      </a>
      {Dialog && <Dialog open={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
