import { X } from 'lucide-react';
import { type FocusEvent, useCallback, useEffect, useState } from 'react';
import { spelled, surroundingsOf } from '../door/in-app-browser.ts';
import { CopyButton } from './keep-access.tsx';

interface KeepHintProps {
  /** Only there when somebody was let in for the first time. */
  resumeCode: string | undefined;
  /** Something else is open over the gallery. */
  isCovered: boolean;
  onOpen(): void;
}

/** Says once how to come back, and is gone with a tap; inside another app, whose browser may forget the visitor, it waits for one. */
export function KeepHint({ resumeCode, isCovered, onOpen }: KeepHintProps) {
  const [isGone, setGone] = useState(isSaid);
  const leave = useCallback(() => {
    isSaid = true;
    setGone(true);
  }, []);
  if (isGone || isCovered || resumeCode === undefined) return null;
  if (!surroundingsOf(navigator.userAgent).isInApp) return <CodeHint resumeCode={resumeCode} onLeave={leave} />;
  return (
    <aside className="strip" aria-label="Keep your access">
      <p>This app may forget you. Save a code so you can come back.</p>
      <button
        type="button"
        className="outline"
        onClick={() => {
          leave();
          onOpen();
        }}
      >
        Show code
      </button>
      <button type="button" className="bare" onClick={leave}>
        Not now
      </button>
    </aside>
  );
}

/** The hint comes and goes with the gallery, and is not said again when a picture was open in between. */
let isSaid = false;

/** The pictures come first; then the code stands below them for as long as it takes to read and copy it. */
const waitMs = 1500;
const stayMs = 20_000;

function CodeHint({ resumeCode, onLeave }: { resumeCode: string; onLeave(): void }) {
  const [isHere, setHere] = useState(false);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHere(true), waitMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isHere || isHeld) return undefined;
    const timer = setTimeout(onLeave, stayMs);
    return () => clearTimeout(timer);
  }, [isHere, isHeld, onLeave]);
  if (!isHere) return null;
  const release = ({ currentTarget, relatedTarget }: FocusEvent) => setHeld(currentTarget.contains(relatedTarget));
  return (
    <aside
      className="strip"
      aria-label="Keep your access"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={release}
    >
      <p>
        Keep your access: code <span className="code">{spelled(resumeCode)}</span> opens this link in another browser
        for 30 days.
      </p>
      <CopyButton text={resumeCode} label="Copy code" />
      <button type="button" className="round" aria-label="Dismiss" onClick={onLeave}>
        <X aria-hidden="true" />
      </button>
    </aside>
  );
}
