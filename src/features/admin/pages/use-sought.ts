import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';

/**
 * What is searched for stands behind the hash of the page's address: it survives a reload and a way back, and no server's log has it.
 */
export function useSought(): [sought: string, search: (text: string) => void] {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const sought = readHash(hash);
  const search = (text: string) => {
    // The same again, as when an email is waited for: what is known of it is asked for once more.
    if (text === sought) void queries.invalidateQueries();
    else void navigate(`${pathname}#${encodeURIComponent(text)}`);
  };
  return [sought, search];
}

function readHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
