import type { ReactNode } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  /** A verb and what it does: "Delete album". */
  confirm: string;
  onConfirm: () => unknown;
  danger?: boolean;
  busy?: boolean;
  children?: Elements;
};

/** Asks once before something that is hard to take back. */
export function ConfirmDialog({
  confirm,
  onConfirm,
  danger = false,
  busy = false,
  onClose,
  ...rest
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...rest}
      onClose={onClose}
      actions={
        <>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    />
  );
}
