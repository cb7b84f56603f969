import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { Me } from '#features/accounts/contract.ts';
import { readConsent } from '#features/accounts/visitor.ts';
import { noteVisit } from './browser/visits.ts';

/** Notes each public page that a visitor comes to inside the studio's program; the studio itself is never measured. */
export function useVisit(me: Me | undefined): void {
  const { pathname } = useLocation();
  const isVisitor = me?.user === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isVisitor && readConsent(document.cookie) === 'yes') noteVisit();
  }, [isVisitor, pathname]);
}
