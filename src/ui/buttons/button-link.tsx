import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { type ButtonLook, drawButton } from '#ui/buttons/button.tsx';

type ButtonLinkProps = ButtonLook & ComponentProps<typeof Link> & { icon?: LucideIcon; children: ReactNode };

/** A link to another page that looks like a button. */
export function ButtonLink({ variant, size, icon: Icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={drawButton({ variant, size }, className)}>
      {Icon && <Icon />}
      <span>{children}</span>
    </Link>
  );
}
