import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Nothing here yet: says what would stand here and offers the one next step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-line border-dashed px-6 py-12 text-center">
      <span className="grid size-13 place-items-center rounded-full bg-plum-wash text-plum">
        <Icon />
      </span>
      <h2 className="text-21">{title}</h2>
      {children && <p className="max-w-96 text-pretty text-quiet">{children}</p>}
      {action && <div className="pt-2">{action}</div>}
    </div>
  );
}
