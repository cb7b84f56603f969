import './salon.css';
import './film-stand.css';
import './film.css';
import { createRoot } from 'react-dom/client';
import { showLengths } from './film-lengths.ts';
import type { Salon, Visit } from './salon.ts';
import { VisitFrame } from './visit-frame.tsx';

/**
 * Draws everything around a visit that is not a picture. The loader calls it once the first picture is there.
 * @returns what takes the frame away at once
 */
export function showFrame(salon: Salon, visit: Visit): () => void {
  showLengths(salon, visit.opened);
  const root = createRoot(salon.root);
  root.render(<VisitFrame salon={salon} visit={visit} />);
  return () => root.unmount();
}
