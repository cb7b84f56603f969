import { toast } from '#ui/feedback/toast.ts';
import { useLive } from '#wire/use-live.tsx';
import { links } from './link-calls.tsx';
import { nameLink } from './link-texts.ts';

/** Says in the studio at once that somebody is guessing the password of a link. */
export function GuessedNotice() {
  useLive(['link.passwordGuessed'], [], ({ linkId }) => {
    // Nothing is lost when the question fails: the email comes anyway.
    if (linkId !== undefined) openAlert(linkId).catch(() => undefined);
  });
  return null;
}

async function openAlert(linkId: string): Promise<void> {
  const link = await links.one.call({ linkId });
  toast.notify('warning', {
    title: `Someone is guessing the password for “${nameLink(link)}”`,
    message: 'Further attempts now have to wait. You can change the password or revoke the link.',
  });
}
