import { KeyRound, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import type { LinkRulesInput } from '../contract.ts';
import { suggestName } from '../link-texts.ts';
import { AddRule } from './add-rule.tsx';
import { NameWord } from './name-part.tsx';
import { PasswordWord } from './person-parts.tsx';
import type { Draft } from './use-new-link.tsx';

interface ExtrasProps {
  draft: Draft;
  onChange: (change: Partial<Pick<Draft, 'linkName' | 'welcomeText'>>) => void;
  onPassword: (password: string | null) => void;
  onRules: (rules: LinkRulesInput) => void;
}

/** The button that was pressed is gone, so the keyboard goes on in what came for it. */
const takeFocus = (area: HTMLTextAreaElement | null) => area?.focus();

/** The quiet line under the sentence: what most links do without. */
export function SheetExtras({ draft, onChange, onPassword, onRules }: ExtrasProps) {
  const [hasWelcome, setHasWelcome] = useState(false);
  const { linkName, recipientName, recipientChannel } = draft;
  return (
    <>
      <div className="-my-2 -mx-2.5 flex flex-wrap gap-x-1 text-13">
        <NameWord
          linkName={linkName}
          suggested={suggestName(recipientName, recipientChannel)}
          onChange={(name) => onChange({ linkName: name })}
        />
        {/* It stays when a password is set: the keyboard goes on from it. */}
        <PasswordWord
          hasPassword={draft.hasPassword}
          onChange={onPassword}
          button={
            <Button variant="bare" icon={KeyRound}>
              {draft.hasPassword ? 'Password set' : 'Password'}
            </Button>
          }
        />
        {!hasWelcome && (
          <Button variant="bare" icon={MessageSquareText} onClick={() => setHasWelcome(true)}>
            Welcome text
          </Button>
        )}
        <AddRule rules={draft.rules} onChange={(change) => onRules({ ...draft.rules, ...change })} />
      </div>
      {hasWelcome && (
        <Textarea
          ref={takeFocus}
          label="Welcome text"
          hint="Shown with your name above the first picture."
          maxLength={300}
          value={draft.welcomeText}
          onChange={(event) => onChange({ welcomeText: event.target.value })}
        />
      )}
    </>
  );
}
