import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Refusal } from '../contract.ts';
import { type Asking, CodeForm, PasswordForm } from './gate-forms.tsx';
import type { Answers, Salon, Shown } from './salon.ts';
import { waitText } from './time-left.ts';
import { useNow } from './use-now.ts';

interface GateProps {
  salon: Salon;
  refusal: Refusal;
  onShown(shown: Shown): void;
}

/** What the link asks for before it opens, or why it does not open. Titles and texts are the server's. */
export function Gate({ salon, refusal, onShown }: GateProps) {
  const asking = useAsking(salon, onShown);
  const [hasLeft, setHasLeft] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reason is read out from its title
  useEffect(() => title.current?.focus(), [refusal.reason]);
  const { host } = refusal;
  const name =
    refusal.reason === 'NOT_YET' ? <Countdown refusal={refusal} onOver={() => asking.send({})} /> : refusal.title;
  return (
    <main className="door">
      {host === undefined ? (
        <p className="brand">
          Private<b>Fans</b>
        </p>
      ) : (
        <p className="host">
          <span className="letter" aria-hidden="true">
            {host.name.slice(0, 1).toUpperCase()}
          </span>
          {host.name}
        </p>
      )}
      <div className="gate">
        {host !== undefined && host.welcomeText !== '' && <p className="quiet welcome">{host.welcomeText}</p>}
        <h1 ref={title} tabIndex={-1}>
          {hasLeft ? 'Nothing was opened' : name}
        </h1>
        <p className="quiet" role="status">
          {hasLeft ? 'You can close this page.' : refusal.text}
        </p>
        {!hasLeft && <Ways refusal={refusal} asking={asking} onLeave={() => setHasLeft(true)} />}
        <p className="quiet small failure" role="alert">
          {asking.failure}
        </p>
      </div>
      <p className="quiet small">This view is marked for you</p>
    </main>
  );
}

/**
 * Asks again with what was said so far: a browser that takes no cookies has to say it all at once. A code is good for once,
 * and so is taking over.
 */
function useAsking(salon: Salon, onShown: (shown: Shown) => void): Asking {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const said = useRef<Answers>({});
  const send = async (answers: Answers) => {
    setBusy(true);
    setFailure('');
    const outcome = await salon.open({ ...said.current, ...answers });
    const { isAdult, password } = answers;
    if (isAdult !== undefined) said.current.isAdult = isAdult;
    if (password !== undefined) said.current.password = password;
    setBusy(false);
    if ('failure' in outcome) setFailure(outcome.failure);
    else onShown('opened' in outcome ? await salon.startVisit(outcome.opened) : outcome);
  };
  return {
    isBusy,
    failure,
    send: (answers) => void send(answers).catch(() => setFailure('The connection was lost. Please try again.')),
  };
}

/** What can be done about it. */
function Ways({ refusal, asking, onLeave }: { refusal: Refusal; asking: Asking; onLeave(): void }): ReactNode {
  const { isBusy, send } = asking;
  switch (refusal.reason) {
    case 'NEED_AGE':
      return (
        <p className="ways">
          <button type="button" className="primary" disabled={isBusy} onClick={() => send({ isAdult: true })}>
            Yes
          </button>
          <button type="button" className="bare" disabled={isBusy} onClick={onLeave}>
            No
          </button>
        </p>
      );
    case 'NEED_PASSWORD':
      return <PasswordForm asking={asking} refusal={refusal} />;
    case 'CONCURRENT':
      return (
        <button type="button" className="primary" disabled={isBusy} onClick={() => send({ takeOver: true })}>
          Continue here
        </button>
      );
    case 'CLOSED':
      return (
        <button type="button" className="primary" disabled={isBusy} onClick={() => send({})}>
          Open again
        </button>
      );
    case 'CREATOR_PAUSED':
    case 'ALBUM_UNAVAILABLE':
      return (
        <button type="button" className="primary" disabled={isBusy} onClick={() => send({})}>
          Try again
        </button>
      );
    case 'NOT_FOUND':
    case 'VIEWERS_FULL':
      return <CodeForm asking={asking} isOpenFirst={false} />;
    case 'CODE_WRONG':
      return <CodeForm asking={asking} isOpenFirst />;
    default:
      return null;
  }
}

function Countdown({ refusal, onOver }: { refusal: Refusal; onOver(): void }) {
  const [endsAt] = useState(() => performance.now() + (refusal.waitMs ?? 0));
  const left = endsAt - useNow(1000);
  const isOver = refusal.waitMs !== undefined && left <= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once, when its time has come
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver]);
  if (refusal.waitMs === undefined) return refusal.title;
  return isOver ? 'Opening…' : `Opens in ${waitText(left)}`;
}
