import { Check, Copy, QrCode, Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import type { MagicLink } from '../contract.ts';
import { canShare, copyLater, markShared, shareLink } from '../sharing.tsx';

interface ActionsProps {
  made: MagicLink | undefined;
  make: () => Promise<MagicLink>;
  isPending: boolean;
  onShow: (link: MagicLink) => void;
}

/** Copy, share, QR: whichever is tapped first makes the link. */
export function SheetActions({ made, make, isPending, onShow }: ActionsProps) {
  const [isCopied, setCopied] = useState(false);
  const attempt = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      toast.error({ title: "Couldn't create the link", message: error instanceof Error ? error.message : '' });
    }
  };
  const copy = () =>
    attempt(async () => {
      const link = make();
      const isWritten = await copyLater(link.then(({ url }) => url));
      if (!isWritten) return onShow(await link);
      markShared(await link);
      setCopied(true);
    });
  const share = () =>
    attempt(async () => {
      const link = await make();
      if (!(await shareLink(link))) onShow(link);
    });
  return (
    <>
      <span role="status" className="sr-only">
        {isCopied && 'Link copied'}
      </span>
      <Button size="large" className="flex-1" icon={isCopied ? Check : Copy} busy={isPending} onClick={() => copy()}>
        {isCopied ? 'Copied' : made ? 'Copy again' : 'Copy link'}
      </Button>
      {canShare() && (
        <IconButton icon={Share2} label="Share link" variant="outline" shape="square" onClick={() => share()} />
      )}
      <IconButton
        icon={QrCode}
        label="QR code"
        variant="outline"
        shape="square"
        onClick={() => attempt(async () => onShow(await make()))}
      />
    </>
  );
}
