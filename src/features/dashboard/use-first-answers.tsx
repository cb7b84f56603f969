import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Longer than this nobody looks at a skeleton: what is there is shown, the rest follows. */
const longestMs = 2000;
const predicate = ({ state }: Query) => state.status === 'pending';

/** Returns whether everything that this page has asked for was answered once, so that nothing is pushed about while it comes. */
export function useFirstAnswers(): boolean {
  const queries = useQueryClient();
  const open = useIsFetching({ predicate });
  const [isThere, setThere] = useState(false);
  // The parts of the page ask in their own effects, which come before this one.
  useEffect(() => {
    if (open === 0 && queries.isFetching({ predicate }) === 0) setThere(true);
  }, [queries, open]);
  useEffect(() => {
    const timer = setTimeout(() => setThere(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  return isThere;
}
