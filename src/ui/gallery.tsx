import { Button } from '#ui/button.tsx';
import { toast } from '#ui/toast.ts';

/** Every component in every state. */
export function Gallery() {
  return <Button onClick={() => toast.success({ title: 'Link copied' })}>Copy link</Button>;
}
