import { Copy } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { toast } from '#ui/feedback/toast.ts';

/** Copies what stands beside it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copy = async () => {
    if (await copyLater(Promise.resolve(text))) toast.success({ title: 'Copied' });
    else toast.error({ title: "Couldn't copy", message: 'Select the text and copy it yourself.' });
  };
  return (
    <Button variant="outline" icon={Copy} className="justify-self-start" onClick={copy}>
      {label}
    </Button>
  );
}
