import type { Me } from '../contract.ts';
import { wayTo } from '../rules.ts';

/** What a page asks of whoever comes: only a session, access (admin, free user or subscribed), the admin role; or it is home. */
export type Need = 'session' | 'access' | 'admin' | 'home';

/** What is known of whoever comes. */
export interface Visit {
  /** Nothing while it is not known, or when the server did not say in time. */
  me: Me | undefined;
  isLoading: boolean;
  /** Whether the plan is being asked for once more, because what is known says no. */
  isChecking: boolean;
}

export type Door =
  | { is: 'open' }
  /** The app lock has closed the session. */
  | { is: 'locked' }
  | { is: 'wait'; text: 'Authenticating...' | 'Checking subscription...' }
  | { is: 'elsewhere'; to: string; notice?: string };

const elsewhere = (to: string, notice?: string): Door => ({
  is: 'elsewhere',
  to,
  ...(notice !== undefined && { notice }),
});

/** Where a person whose plan has ended is told so. */
const endedPath = '/pricing';

/**
 * The route guard, in its order: the first condition that holds decides.
 * @param path where the person wants to go, with its search, to come back to after sign-in
 */
export function decideDoor({ me, isLoading, isChecking }: Visit, need: Need, path: string): Door {
  if (isLoading) return { is: 'wait', text: 'Authenticating...' };
  if (me?.isLocked) return { is: 'locked' };
  if (me === undefined || me.user === null) return elsewhere(wayTo('/auth', path));
  if (me.setupStep !== 'done') return elsewhere(wayTo('/account/setup', path));
  if (me.needsSecondFactor && need !== 'session') return elsewhere(wayTo('/account/two-step', path));
  if (need === 'admin' && !me.isAdmin) return elsewhere('/', "Access Denied - You don't have admin privileges.");
  if (need === 'access' && !me.hasAccess)
    return isChecking ? { is: 'wait', text: 'Checking subscription...' } : elsewhere('/auth');
  if (need === 'home' && !me.hasAccess && me.subscriptionStatus === 'inactive') return elsewhere(endedPath);
  return { is: 'open' };
}
