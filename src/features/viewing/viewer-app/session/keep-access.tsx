import { useState } from 'react';
import { chromeAddress, spelled, surroundingsOf } from '../door/in-app-browser.ts';

/** How to come back when this browser has forgotten the visitor, and how to leave an app's own browser. */
export function KeepAccess({ resumeCode }: { resumeCode: string | undefined }) {
  const { system } = surroundingsOf(navigator.userAgent);
  const address = location.origin + location.pathname;
  return (
    <div className="access">
      {resumeCode === undefined ? (
        <p className="quiet">Open this link again in the same browser and it will remember you.</p>
      ) : (
        <>
          <p className="quiet">
            To come back in another browser, or if this one forgets you, open the link again and enter this code. It
            works for 30 days, for this link only.
          </p>
          <p className="code">{spelled(resumeCode)}</p>
          <CopyButton text={resumeCode} label="Copy code" />
        </>
      )}
      <p className="quiet">
        {system === 'ios'
          ? 'To open it in Safari, copy the link and paste it there.'
          : 'To open it in your own browser, copy the link and paste it there.'}
      </p>
      <p className="ways">
        <CopyButton text={address} label="Copy link" />
        {system === 'android' && (
          <a className="outline" href={chromeAddress(address)}>
            Open in Chrome
          </a>
        )}
      </p>
    </div>
  );
}

/** Where an app forbids the clipboard, the text is shown to be copied by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  if (state === 'refused')
    return (
      <input className="field" readOnly aria-label={label} value={text} onFocus={({ target }) => target.select()} />
    );
  return (
    <button type="button" className="outline" onClick={copy}>
      {state === 'copied' ? 'Copied' : label}
    </button>
  );
}
