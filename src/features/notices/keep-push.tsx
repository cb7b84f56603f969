import { useEffect } from 'react';
import { keepSubscription } from './pages/browser-push.tsx';

/** A browser that took pushes before its person signed out takes them again once they are back. */
export function KeepPush({ userId }: { userId: string | undefined }) {
  useEffect(() => {
    // Nothing is lost when it fails: the next page tries again, and emails come meanwhile.
    if (userId !== undefined) keepSubscription(userId).catch(() => undefined);
  }, [userId]);
  return null;
}
