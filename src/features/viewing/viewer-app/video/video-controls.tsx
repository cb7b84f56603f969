import { Maximize, Minimize, Pause, Play, RotateCcw, Volume2, VolumeX } from 'lucide-react';
import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { cellAt } from '#features/media/storyboard.ts';
import { formatClock, formatLength } from '#kit/text.ts';
import type { ViewItem } from '../../contract.ts';
import type { Visit } from '../viewer-app.ts';
import type { Video, VideoState } from './video-player.ts';

interface VideoControlsProps {
  video: Video;
  visit: Visit;
  item: ViewItem;
  n: number;
  /** Fills the screen, or goes back; left out where the browser cannot. */
  fullscreen: { isOn: boolean; toggle(): void } | undefined;
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** Play, seek, sound, speed and full picture: all that a video can be told. */
export function VideoControls({ video, visit, item, n, fullscreen }: VideoControlsProps) {
  const { phase, at, length, isMuted, volume, speed } = useSyncExternalStore(video.state.subscribe, video.state.get);
  return (
    <section className="video-bar chrome" aria-label="Video controls">
      <SeekBar video={video} visit={visit} item={item} n={n} at={at} length={length} />
      <div className="video-row">
        <PlayButton phase={phase} toggle={video.toggle} />
        <Sound video={video} isMuted={isMuted} volume={volume} />
        <span className="figures small video-time">
          <span>{`${formatClock(at * 1000)} `}</span>
          <span className="quiet">{`/ ${formatLength(length * 1000)}`}</span>
        </span>
        <Speed speed={speed} onChange={video.setSpeed} />
        {fullscreen !== undefined && <FullscreenButton {...fullscreen} />}
      </div>
    </section>
  );
}

function PlayButton({ phase, toggle }: { phase: VideoState['phase']; toggle(): void }) {
  const isPlaying = phase === 'playing';
  return (
    <button type="button" className="round" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={toggle}>
      {isPlaying ? (
        <Pause aria-hidden="true" />
      ) : phase === 'ended' ? (
        <RotateCcw aria-hidden="true" />
      ) : (
        <Play aria-hidden="true" />
      )}
    </button>
  );
}

interface SoundProps extends Pick<VideoState, 'isMuted' | 'volume'> {
  video: Video;
}

function Sound({ video, isMuted, volume }: SoundProps) {
  return (
    <>
      <button
        type="button"
        className="round"
        aria-label={isMuted ? 'Unmute' : 'Mute'}
        onClick={() => video.setMuted(!isMuted)}
      >
        {isMuted ? <VolumeX aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
      </button>
      <input
        type="range"
        className="line volume"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        style={{ '--done': isMuted ? 0 : volume } as object}
        onChange={({ target }) => video.setVolume(Number(target.value))}
      />
    </>
  );
}

function Speed({ speed, onChange }: { speed: number; onChange(speed: number): void }) {
  return (
    <select
      className="speed"
      aria-label="Speed"
      value={speed}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {speeds.map((each) => (
        <option key={each} value={each}>
          {`${each}×`}
        </option>
      ))}
    </select>
  );
}

function FullscreenButton({ isOn, toggle }: NonNullable<VideoControlsProps['fullscreen']>) {
  return (
    <button type="button" className="round" aria-label={isOn ? 'Exit full screen' : 'Full screen'} onClick={toggle}>
      {isOn ? <Minimize aria-hidden="true" /> : <Maximize aria-hidden="true" />}
    </button>
  );
}

interface SeekBarProps extends Omit<VideoControlsProps, 'fullscreen'> {
  at: number;
  length: number;
}

/** The line of a video's time: while it is dragged, or a mouse stands over it, the storyboard shows what is there. */
function SeekBar({ video, visit, item, n, at, length }: SeekBarProps) {
  const [pointed, setPointed] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const isHeld = useRef(false);
  const shown = dragged ?? pointed;
  const now = dragged ?? at;
  const point = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(1, Math.max(0, (clientX - left) / width)) * length);
  };
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const second = Number(target.value);
    if (isHeld.current) setDragged(second);
    else video.seek(second);
  };
  const press = (event: KeyboardEvent) => {
    const second = placeOfKey(event.key, now, length);
    if (second === undefined) return;
    event.preventDefault();
    video.seek(second);
  };
  const release = () => {
    isHeld.current = false;
    setPointed(undefined);
    if (dragged !== undefined) video.seek(dragged);
    setDragged(undefined);
  };
  return (
    <div className="seek">
      <Storyboard visit={visit} item={item} n={n} second={shown} length={length} />
      <input
        type="range"
        className="line"
        aria-label="Seek"
        aria-valuetext={`${formatClock(now * 1000)} of ${formatLength(length * 1000)}`}
        min={0}
        max={length}
        step={0.1}
        value={now}
        style={{ '--done': length === 0 ? 0 : now / length } as object}
        onChange={change}
        onKeyDown={press}
        onPointerDown={() => {
          isHeld.current = true;
        }}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      />
    </div>
  );
}

const stepSeconds = 5;
const pageSeconds = 30;

/** Returns where a key takes the line of a video's time: its own step is a hand's, far too small for a key. */
function placeOfKey(key: string, at: number, length: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return at + stepSeconds;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at - stepSeconds;
  if (key === 'PageUp') return at + pageSeconds;
  if (key === 'PageDown') return at - pageSeconds;
  if (key === 'Home') return 0;
  return key === 'End' ? length : undefined;
}

interface StoryboardProps {
  visit: Visit;
  item: ViewItem;
  n: number;
  /** What is pointed at; nothing is shown without. */
  second: number | undefined;
  length: number;
}

/** One small picture out of the video's storyboard, over the place on the line. */
function Storyboard({ visit, item, n, second, length }: StoryboardProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const canvas = document.createElement('canvas');
    canvas.className = 'sheet-canvas';
    place.current?.append(canvas);
    visit.lendSheet(n, canvas);
    return () => {
      visit.freeSheet(n);
      canvas.remove();
    };
  }, [visit, n]);
  const { column, row } = cellAt(second ?? 0, item.cellSeconds ?? 1);
  const share = length === 0 ? 0 : (second ?? 0) / length;
  return (
    <div className="preview" aria-hidden="true" hidden={second === undefined} style={{ '--at': share } as object}>
      <div
        ref={place}
        className="preview-cell"
        style={
          {
            aspectRatio: `${item.width} / ${item.height}`,
            '--column': column,
            '--row': row,
            '--tall': Math.min(1, item.width / item.height),
          } as object
        }
      />
      <span className="figures small">{formatClock((second ?? 0) * 1000)}</span>
    </div>
  );
}
