import { Check, Copy, QrCode, Share2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { toast } from '#ui/feedback/toast.ts';
import type { MagicLink } from '../contract.ts';
import { canShare, markShared, shareLink } from '../sharing.tsx';
import { AskPerson } from './ask-person.tsx';

interface ActionsProps {
  /** Who reads the name of the person. */
  readers: string;
  made: MagicLink | undefined;
  /** @param recipientName said just now */
  make: (recipientName?: string) => Promise<MagicLink>;
  isPending: boolean;
  /** Neither a name nor a person was given. */
  isNameless: boolean;
  onPerson: (recipientName: string) => void;
  onShow: (link: MagicLink) => void;
}

type Act = 'copy' | 'share' | 'code';
const nextWords: Readonly<Record<Act, string>> = { copy: 'Copy link', share: 'Share link', code: 'Show QR code' };

/** Does what makes the link, and says why where it could not be made. */
async function attempt(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toast.error({ title: "Couldn't create the link", message: error instanceof Error ? error.message : '' });
  }
}

/** Copy, share, QR: whichever is tapped first makes the link; where nobody said whom it is for, it is asked once before. */
export function SheetActions({ readers, made, make, isPending, isNameless, onPerson, onShow }: ActionsProps) {
  const [isCopied, setCopied] = useState(false);
  const [waiting, setWaiting] = useState<Act>();
  const wasAsked = useRef(false);
  const acts: Readonly<Record<Act, (recipientName?: string) => Promise<void>>> = {
    copy: (recipientName) =>
      attempt(async () => {
        const link = make(recipientName);
        const isWritten = await copyLater(link.then(({ url }) => url));
        if (!isWritten) return onShow(await link);
        markShared(await link);
        setCopied(true);
      }),
    share: (recipientName) =>
      attempt(async () => {
        const link = await make(recipientName);
        if (!(await shareLink(link))) onShow(link);
      }),
    code: (recipientName) => attempt(async () => onShow(await make(recipientName))),
  };
  const begin = (act: Act) => {
    if (made !== undefined || !isNameless || wasAsked.current) return acts[act]();
    wasAsked.current = true;
    setWaiting(act);
  };
  const answer = (recipientName: string) => {
    setWaiting(undefined);
    if (recipientName !== '') onPerson(recipientName);
    if (waiting !== undefined) void acts[waiting](recipientName);
  };
  return (
    <>
      <span role="status" className="sr-only">
        {isCopied && 'Link copied'}
      </span>
      <Button
        size="large"
        className="flex-1"
        icon={isCopied ? Check : Copy}
        busy={isPending}
        onClick={() => begin('copy')}
      >
        {isCopied ? 'Copied' : made ? 'Copy again' : 'Copy link'}
      </Button>
      {canShare() && (
        <IconButton icon={Share2} label="Share link" variant="outline" shape="square" onClick={() => begin('share')} />
      )}
      <IconButton icon={QrCode} label="QR code" variant="outline" shape="square" onClick={() => begin('code')} />
      <AskPerson
        open={waiting !== undefined}
        readers={readers}
        next={nextWords[waiting ?? 'copy']}
        onClose={() => setWaiting(undefined)}
        onAnswer={answer}
      />
    </>
  );
}
