import { Download } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { saveFile } from '#ui/save-file.tsx';
import { showBackupCode } from '../../second-factor/code-rules.ts';
import { CopyButton } from './copy-button.tsx';
import { StepTitle } from './step-title.tsx';

/** The backup codes, which are shown this once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const shown = codes.map(showBackupCode);
  const text = `${shown.join('\n')}\n`;
  const save = () => saveFile(new Blob([text], { type: 'text/plain' }), 'privatefans-backup-codes.txt');
  return (
    <div className="grid gap-4">
      <StepTitle>Keep these backup codes</StepTitle>
      <p className="text-quiet">
        They are shown this once. Each signs you in one time when you don't have your phone, so keep them somewhere
        else.
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control border border-line bg-paper p-4"
      >
        {shown.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <Button variant="outline" icon={Download} onClick={save}>
          Download as text
        </Button>
      </div>
      <Button className="justify-self-start" onClick={onDone}>
        I've kept them
      </Button>
    </div>
  );
}
