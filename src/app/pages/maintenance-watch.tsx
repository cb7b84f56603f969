import { ORPCError } from '@orpc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { accounts } from '#features/accounts/guard.tsx';

/** How often a page asks during maintenance whether it is over. */
const lookMs = 15_000;

const isMaintenance = (error: unknown): boolean => error instanceof ORPCError && error.code === 'MAINTENANCE';

/**
 * Notices maintenance by the first call that is refused for it, and its end by what pages are told of who is here: then everything
 * that is shown is read again.
 */
export function MaintenanceWatch(): null {
  const queries = useQueryClient();
  const { data: me } = useQuery(accounts.me.queryOptions({ enabled: false }));
  const isOn = me?.site.isMaintenance === true;
  const wasOn = useRef(false);
  useEffect(() => {
    const look = () => void queries.refetchQueries({ queryKey: accounts.me.queryKey() });
    if (isOn) {
      wasOn.current = true;
      const timer = setInterval(look, lookMs);
      return () => clearInterval(timer);
    }
    if (wasOn.current) void queries.invalidateQueries();
    wasOn.current = false;
    const ends = [
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isMaintenance(event.action.error)) look();
      }),
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isMaintenance(event.action.error)) look();
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [isOn, queries]);
  return null;
}
