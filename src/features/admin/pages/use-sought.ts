import { useLocation, useNavigate } from 'react-router';

/**
 * What is searched for stands behind the hash of the page's address: it survives a reload and a way back, and no server's log has it.
 */
export function useSought(): [sought: string, search: (text: string) => void] {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  return [readHash(hash), (text) => void navigate(`${pathname}#${encodeURIComponent(text)}`)];
}

function readHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
