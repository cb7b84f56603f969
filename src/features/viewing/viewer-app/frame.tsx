import './viewer-app.css';
import './video/video-view.css';
import './video/video.css';
import { createRoot } from 'react-dom/client';
import { watchAttempts } from './session/attempts.ts';
import { watchErrors } from './session/error-watch.ts';
import { VisitFrame } from './session/visit-frame.tsx';
import { showLengths } from './video/video-lengths.ts';
import type { ViewerApp, Visit } from './viewer-app.ts';

watchErrors();

/**
 * Draws everything around a visit that is not a picture. The loader calls it once the first picture is there.
 * @returns what takes the frame away at once
 */
export function showFrame(app: ViewerApp, visit: Visit): () => void {
  watchAttempts(visit);
  showLengths(app, visit.opened);
  const root = createRoot(app.root);
  root.render(<VisitFrame app={app} visit={visit} />);
  return () => root.unmount();
}
