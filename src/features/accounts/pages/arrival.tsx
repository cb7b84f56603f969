import { useNavigate, useSearchParams } from 'react-router';
import type { Me } from '../contract.ts';
import { useMe } from '../guard.tsx';
import { safeReturnTo, wayTo } from '../rules.ts';
import { describeNoCookies } from './cookies.tsx';

/** Returns where a signed-in person goes from here; without access that is /auth. */
export function placeOf(me: Me, search: URLSearchParams): string {
  const wanted = safeReturnTo(search.get('returnTo'), window.location.origin);
  if (me.setupStep !== 'done') return wayTo('/account/setup', wanted);
  return me.hasAccess ? (wanted ?? '/') : '/auth';
}

/** Leads whoever has just been signed in to where they wanted to go. @param onKnown called before they go */
export function useArrival(onKnown?: () => void): () => Promise<void> {
  const { askAgain } = useMe();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return async () => {
    const known = await askAgain();
    // The server let them in, and the browser has not kept the cookie that says so.
    if (known?.user === null) throw describeNoCookies();
    onKnown?.();
    await navigate(known ? placeOf(known, search) : '/', { replace: true });
  };
}
