import { Check, Copy, Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { QrCode } from '#ui/pictures/qr-code.tsx';
import type { MagicLink } from './contract.ts';
import { links } from './link-calls.tsx';
import { nameLink } from './link-texts.ts';

/** Returns whether this browser has a share sheet of its own. */
export const canShare = () => typeof navigator !== 'undefined' && navigator.share !== undefined;

/** Notes that a link's address was copied or shared. Nothing is lost when it fails: the next copy says it again. */
export function markShared({ id }: Pick<MagicLink, 'id'>): void {
  links.markShared.call({ linkId: id }).catch(() => undefined);
}

/** Opens the phone's own share sheet. @returns false when there is none or it was refused; closing it is no refusal */
export async function shareLink(link: Pick<MagicLink, 'id' | 'url'>): Promise<boolean> {
  try {
    await navigator.share({ url: link.url });
    markShared(link);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Copies a link's address and says so; opens `showAddress` where copying is not allowed. */
export async function copyLink(link: Pick<MagicLink, 'id' | 'url'>, showAddress: () => void): Promise<void> {
  if (!(await copyLater(Promise.resolve(link.url)))) return showAddress();
  markShared(link);
  toast.success({ title: 'Link copied' });
}

/** The way to a link as its viewers see it. */
export function PreviewLink({ linkId }: { linkId: string }) {
  return (
    <ButtonLink to={`/magic-links/${linkId}/preview`} variant="bare" icon={Eye} className="-ml-2.5 justify-self-start">
      What will they see?
    </ButtonLink>
  );
}

/** The address as a picture for a camera and as text for a finger. */
export function AddressDialog({ link, onClose }: { link: MagicLink | undefined; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const close = () => {
    setCopied(false);
    onClose();
  };
  return (
    <Dialog
      open={link !== undefined}
      onClose={close}
      title={link ? nameLink(link) : ''}
      description="Anyone who scans this or has the address can open the link's welcome page."
    >
      {link && (
        <>
          <div className="mx-auto w-full max-w-64">
            <QrCode text={link.url} label={`QR code of ${nameLink(link)}`} />
          </div>
          <Field label="Address" value={link.url} readOnly onFocus={(event) => event.currentTarget.select()} />
          <Button
            icon={isCopied ? Check : Copy}
            onClick={async () => {
              const isWritten = await copyLater(Promise.resolve(link.url));
              if (isWritten) markShared(link);
              setCopied(isWritten);
            }}
          >
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
        </>
      )}
    </Dialog>
  );
}
