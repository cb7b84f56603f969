import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { frameMark, showsFrame } from '#features/accounts/provider-frame.ts';

const isInBrowser = typeof document !== 'undefined';
const hasBorder = isInBrowser && document.querySelector(`meta[name="${frameMark}"]`) !== null;
const beganWithFrame = isInBrowser && showsFrame(location.pathname, location.search);

/**
 * Loads the page again where somebody goes from pages without the provider's frame to one with it, or back: headers belong to a
 * document, and these have others. A page that is sending files goes on as it is.
 * @returns whether it is being loaded
 */
export function useFrameBorder(): boolean {
  const { pathname, search } = useLocation();
  const [isHeld, setHeld] = useState(false);
  const isAcross = hasBorder && showsFrame(pathname, search) !== beganWithFrame;
  useEffect(() => {
    setHeld(false);
    if (isAcross) void reloadUnlessSending().catch(() => setHeld(true));
  }, [isAcross]);
  return isAcross && !isHeld;
}

/** @throws where files would be lost */
async function reloadUnlessSending(): Promise<void> {
  const { isSending } = await import('#features/albums/sending-now.tsx');
  if (isSending()) throw new Error('Files are being sent.');
  location.reload();
}
