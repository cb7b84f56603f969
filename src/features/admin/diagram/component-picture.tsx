import {
  Archive,
  Bell,
  BotMessageSquare,
  Cog,
  CreditCard,
  Database,
  HardDrive,
  KeyRound,
  ListOrdered,
  type LucideIcon,
  Mail,
  Server,
  Smartphone,
} from 'lucide-react';
import type { CSSProperties } from 'react';
import { cx } from '#ui/cx.ts';
import type { PulseLight } from '#wire/pulse.ts';
import { type ComponentId, componentIds, type InstallationState, type PulsePartState } from '../operations-contract.ts';
import { lightWords } from '../pulse-words.ts';
import { componentWords, lightOf } from './component-words.ts';
import { figureOf } from './flow-words.ts';
import { drawLine, gridPlaces, lines, placeInPercent } from './picture-layout.ts';

const icons: Readonly<Record<ComponentId, LucideIcon>> = {
  browsers: Smartphone,
  web: Server,
  queue: ListOrdered,
  workers: Cog,
  database: Database,
  storage: HardDrive,
  keys: KeyRound,
  backup: Archive,
  mail: Mail,
  provider: CreditCard,
  push: Bell,
  assistant: BotMessageSquare,
};

type ComponentPictureProps = {
  chosen: ComponentId;
  onChoose: (id: ComponentId) => void;
  figures: InstallationState['figures'];
  pulse: readonly PulsePartState[];
};

/** The components and the lines between them: a choice of one, whose lines stand out. It stands upright on a phone. */
export function ComponentPicture({ chosen, onChoose, figures, pulse }: ComponentPictureProps) {
  return (
    <fieldset className="relative h-140 md:h-125">
      <legend className="sr-only">Component</legend>
      <FlowLines chosen={chosen} isUpright />
      <FlowLines chosen={chosen} isUpright={false} />
      {componentIds.map((id) => (
        <ComponentNode
          key={id}
          id={id}
          isChosen={id === chosen}
          onChoose={onChoose}
          light={lightOf(componentWords[id], pulse)}
          figure={figureOf[id]?.(figures)}
        />
      ))}
    </fieldset>
  );
}

function FlowLines({ chosen, isUpright }: { chosen: ComponentId; isUpright: boolean }) {
  const isOfChosen = ({ ends }: (typeof lines)[number]) => ends.includes(chosen);
  // Those that stand out are drawn last, over the others.
  const ordered = [...lines.filter((line) => !isOfChosen(line)), ...lines.filter(isOfChosen)];
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className={cx('absolute inset-0 size-full', isUpright ? 'md:hidden' : 'max-md:hidden')}
    >
      {ordered.map((line) => (
        <path
          key={line.ends.join()}
          d={drawLine(line, isUpright)}
          vectorEffect="non-scaling-stroke"
          className={cx('fill-none', isOfChosen(line) ? 'stroke-plum stroke-2' : 'stroke-edge stroke-1')}
        />
      ))}
    </svg>
  );
}

/** How a light looks; its word stands beside it. */
const dots: Readonly<Record<PulseLight, string>> = {
  green: 'bg-moss',
  amber: 'bg-ember',
  red: 'bg-rust',
  unknown: 'border border-edge',
  off: 'border border-edge',
};

type ComponentNodeProps = {
  id: ComponentId;
  isChosen: boolean;
  onChoose: (id: ComponentId) => void;
  light: PulseLight | undefined;
  figure: string | undefined;
};

function ComponentNode({ id, isChosen, onChoose, light, figure }: ComponentNodeProps) {
  const { along, lane } = placeInPercent(gridPlaces[id]);
  const Icon = icons[id];
  return (
    <label
      style={{ '--along': `${along}%`, '--lane': `${lane}%` } as CSSProperties}
      className={cx(
        'absolute top-(--along) left-(--lane) grid min-h-20 w-[29%] -translate-1/2 cursor-pointer content-center justify-items-center gap-0.5 rounded-control border bg-raised px-1 py-1.5 text-center text-13 leading-tight transition md:top-(--lane) md:left-(--along) md:min-h-24 md:w-[16.5%] md:gap-1 md:px-2',
        isChosen ? 'border-plum ring-1 ring-plum' : 'border-line hover:border-edge',
      )}
    >
      <input
        type="radio"
        name="component"
        value={id}
        checked={isChosen}
        onChange={() => onChoose(id)}
        className="peer sr-only"
      />
      <span className="pointer-events-none absolute -inset-px rounded-control outline-plum peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2" />
      <span className="flex items-center justify-center gap-1.5 font-strong">
        <Icon className={cx('size-4 flex-none max-sm:hidden', isChosen ? 'text-plum' : 'text-quiet')} />
        <span>{componentWords[id].name}</span>
      </span>
      {light !== undefined && (
        <span className="flex items-center justify-center gap-1.5">
          <span aria-hidden="true" className={cx('size-2 flex-none rounded-full', dots[light])} />
          <span>{lightWords[light].word}</span>
        </span>
      )}
      {figure !== undefined && <span className="text-quiet tabular-nums">{figure}</span>}
    </label>
  );
}
