import { ChevronRight, Eye, KeyRound, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { KeepAccess } from './keep-access.tsx';
import { Sheet } from './sheet.tsx';

interface MoreSheetProps {
  resumeCode: string | undefined;
  /** Its creator takes requests for custom work. */
  takesRequests: boolean;
  onClose(): void;
}

const pages = { menu: 'This view', privacy: 'What the creator can see', access: 'Keep your access' } as const;

/** What is always within reach: how access is kept, and what is seen of the visitor. */
export function MoreSheet({
  resumeCode,
  takesRequests,
  onClose,
  first = 'menu',
}: MoreSheetProps & { first?: keyof typeof pages }) {
  const [page, setPage] = useState<keyof typeof pages>(first);
  return (
    <Sheet title={pages[page]} onClose={onClose}>
      {page === 'menu' && (
        <>
          <p className="quiet">This view is marked for you. That makes copying harder and copies traceable.</p>
          <ul className="rows">
            <li>
              <button type="button" onClick={() => setPage('access')}>
                <KeyRound aria-hidden="true" /> Keep your access <ChevronRight aria-hidden="true" />
              </button>
            </li>
            <li>
              <button type="button" onClick={() => setPage('privacy')}>
                <Eye aria-hidden="true" /> What the creator can see <ChevronRight aria-hidden="true" />
              </button>
            </li>
            {takesRequests && (
              <li>
                <a href={`/custom-request?link=${encodeURIComponent(slugOf(location.pathname))}`}>
                  <Sparkles aria-hidden="true" /> Ask for something custom <ChevronRight aria-hidden="true" />
                </a>
              </li>
            )}
          </ul>
        </>
      )}
      {page === 'privacy' && <Privacy />}
      {page === 'access' && <KeepAccess resumeCode={resumeCode} />}
    </Sheet>
  );
}

/** Everything that is shown to the creator, and nothing else is. */
function Privacy() {
  return (
    <dl className="facts">
      <dt>Time</dt>
      <dd className="quiet">When you opened the link and how long you viewed it.</dd>
      <dt>Pictures</dt>
      <dd className="quiet">Which ones were on your screen.</dd>
      <dt>Approximate location</dt>
      <dd className="quiet">Your country, never an address.</dd>
      <dt>Attempts to copy</dt>
      <dd className="quiet">
        Such as a screenshot shortcut, Save or Copy, a window that was left or resized, as far as your browser tells.
      </dd>
      <dt>Device type</dt>
      <dd className="quiet">Such as “iPhone, Safari”, and the app you opened the link in.</dd>
    </dl>
  );
}

/** The loader has a reading of its own, which nothing that comes later may share with it. */
const slugOf = (pathname: string) => /^\/view\/([\da-z-]*[\da-z])/i.exec(pathname)?.[1] ?? '';
