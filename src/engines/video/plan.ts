import type { FramesRequest, Probe, ReadVideo, Rung, Size, Storyboard } from './video.ts';

/** What every engine does alike: sizes, filters, settings of the encoders. Pure. */
export const framesPerSecond = 30;
/** Length of a segment of the picture and of the sound. */
export const [pictureSegmentSeconds, soundSegmentSeconds] = [1, 4];

/** Every thread that decodes holds frames of its own; of large ones they are most of what a program holds. */
const mostSideOfTwo = 1920;
export const decodeThreadsOf = ({ sidePx }: Pick<Probe, 'sidePx'>): number => (sidePx > mostSideOfTwo ? 1 : 2);
/** Without it there are as many as processors, each with a stack of its own. */
export const filterThreads = 2;

const shortSides = [
  ['v720', 720],
  ['v480', 480],
] as const;

/** Chroma has half the size, so both sides are even. */
const even = (length: number) => Math.max(2, Math.round(length / 2) * 2);

/** A second rung that is hardly smaller than the first saves nobody anything. */
const mostOfFirst = 0.85;

/** Sizes of the ladder: never enlarged, and a video too small for the second rung has only the first. */
export function rungsOf({ width, height }: Size): [Rung, ...Rung[]] {
  const [first, ...rest] = shortSides.map(([track, side]) => {
    const scale = Math.min(1, side / Math.min(width, height));
    return { track, width: even(width * scale), height: even(height * scale) };
  }) as [Rung, ...Rung[]];
  return [first, ...rest.filter((rung) => rung.width <= mostOfFirst * first.width)];
}

/** Size of a pattern frame. */
export function patternSize(probe: Size): Size {
  const [{ width, height }] = rungsOf(probe);
  return { width: width / 2, height: height / 2 };
}

/** Cells of a storyboard, and their longer side. */
const [columns, rows, cellSide] = [7, 6, 160];

/** As many cells as the sheet holds, of whole seconds each. */
export function storyboardOf({ seconds }: Pick<Probe, 'seconds'>): Storyboard {
  const cellSeconds = Math.max(1, Math.ceil(seconds / (columns * rows)));
  const cells = Math.min(columns * rows, Math.max(1, Math.ceil(seconds / cellSeconds)));
  return { cellSeconds, columns, rows, cells };
}

/** A video of at most this many seconds may have one key frame, its first, and that may be dark: all its frames are looked at. */
const mostSecondsWhole = 10;

/** Returns whether a storyboard is drawn of key frames alone, which are a hundredth of the work. */
export const isOfKeyFrames = ({ seconds }: Pick<Probe, 'seconds'>): boolean => seconds > mostSecondsWhole;

/** The same size before a video is turned. */
const sizeBeforeTurn = ({ turn }: Pick<ReadVideo, 'turn'>, { width, height }: Size): Size =>
  (turn?.degrees ?? 0) % 180 === 90 ? { width: height, height: width } : { width, height };

/** Sets a video upright, for a comma before it. Engines that did it themselves would turn before anything is scaled: see `fitted`. */
function turned({ turn }: Pick<ReadVideo, 'turn'>): string {
  const steps = { 0: '', 90: ',transpose=clock', 180: ',hflip,vflip', 270: ',transpose=cclock' };
  return `${turn?.isMirrored ? ',vflip' : ''}${steps[turn?.degrees ?? 0]}`;
}

/** An upright frame must not go on saying that it has to be turned: newer encoders write that into what they make, for a player to do it again. */
const forgetTurn = 'sidedata=mode=delete:type=DISPLAYMATRIX';

/** Sides are rounded on the way here: a frame that misses its place by so many pixels fills it. */
const roundedPx = 3;

/**
 * Upright, of square pixels, in limited range and of one size, whatever the frames become: a recording that is turned, or whose sender
 * adapts, changes their size, shape or pixel format midway. Whatever has another shape keeps it, between bars. Scaling stands before
 * everything else that touches pixels, because it follows such a change, and what comes after it never hears of one. So no graph
 * has to be made again in the middle of a video, where it would have no pattern until the next second and count from nought again.
 */
function fitted(video: Pick<ReadVideo, 'turn'>, size: Size): string {
  const { width, height } = sizeBeforeTurn(video, size);
  const near = (value: string, side: number) => `between(${value},${side - roundedPx},${side + roundedPx})`;
  const [across, down] = [`dar*${height}`, `${width}/dar`];
  const fills = `${near(across, width)}+${near(down, height)}`;
  const side = (most: number, own: string) => `'if(${fills},${most},clip(2*round(${own}/2),2,${most}))'`;
  const scale = `scale=w=${side(width, across)}:h=${side(height, down)}:eval=frame:flags=bicubic:out_range=tv`;
  return `${scale},setsar=1,pad=${width}:${height}:-1:-1:eval=frame${turned(video)},${forgetTurn}`;
}

/** Says which colours they are where the video does not, for what comes after a comma: else poster, video and rungs are each guessed again. */
function named({ guessedColours: colours }: Pick<ReadVideo, 'guessedColours'>): string {
  if (colours === undefined) return '';
  return `setparams=${colours.unnamed.map((each) => `${each}=${colours.as}`).join(':')},`;
}

/**
 * Whole frames of what was filmed in fields, for what comes after a comma. Only frames that say so are touched; the scaling before it
 * takes back those whose size changes midway, for which it has no place.
 */
function deinterlaced({ interlaced }: Pick<Probe, 'interlaced'>): string {
  if (interlaced === undefined) return '';
  const { width, height } = interlaced;
  return `scale=w=${width}:h=${height}:eval=frame:interl=-1,bwdif=mode=send_frame:deint=interlaced,`;
}

/** BT.709, where the source is HDR, for a comma before it; after the scaling it is cheaper, and `hable` keeps skies from clipping. */
function toned({ hdr }: Pick<ReadVideo, 'hdr'>): string {
  if (!hdr) return '';
  // Videos that do not say which HDR colours they have are BT.2020, as HDR10 and HLG are.
  const unsaid = `${hdr.isPrimariesKnown ? '' : ':pin=bt2020'}${hdr.isMatrixKnown ? '' : ':min=bt2020nc'}`;
  // Approximated, hybrid log-gamma would be raised colour by colour, which makes them louder; exactly costs half as much again.
  const exact = hdr.isHybridLog ? ':agamma=false' : '';
  const steps = [
    `zscale=t=linear:npl=100${exact}${unsaid}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
  ];
  return `,${steps.join(',')}`;
}

/** Of every third of the first sixty frames the one that is most like the others; it holds them all, so they are small by then. */
export const posterFilter = (probe: Probe): string =>
  `${named(probe)}${deinterlaced(probe)}select='not(mod(n,3))',${fitted(probe, rungsOf(probe)[0])},thumbnail=20${toned(probe)},format=rgb24`;

/** All cells; what comes after the last key frame repeats it. */
export function storyboardFilter(probe: Probe): string {
  const { cellSeconds } = storyboardOf(probe);
  const scale = Math.min(1, cellSide / Math.max(probe.width, probe.height));
  const cell = { width: even(probe.width * scale), height: even(probe.height * scale) };
  // A last key frame that lasts less than half a cell would be left out without the second of these, less than half a frame without `pass`.
  const lasting = `fps=${framesPerSecond}:start_time=0:eof_action=pass,tpad=stop_mode=clone:stop_duration=${cellSeconds}`;
  const filled = `tpad=stop_mode=clone:stop=${columns * rows}`;
  const sheet = `${named(probe)}${deinterlaced(probe)}${fitted(probe, cell)}${toned(probe)},${filled},tile=${columns}x${rows},format=rgb24`;
  return `${lasting},fps=1/${cellSeconds},${sheet}`;
}

/** Frames as plain pixels; in colour as one looks at them, so HDR becomes SDR. */
export function framesFilter(video: ReadVideo, wanted: FramesRequest): string {
  const { ofEach, isKeyFramesOnly, isInColour } = wanted;
  const { width, height } = sizeBeforeTurn(video, wanted);
  const scale = `${isInColour ? named(video) : ''}scale=${width}:${height}:flags=area`;
  const toSee = `${video.hdr ? ':out_range=tv' : ''}${turned(video)}${toned(video)},format=rgb24`;
  const plain = `${scale}${isInColour ? toSee : `${turned(video)},format=gray`}`;
  if (isKeyFramesOnly) return plain;
  const chosen = ofEach?.map((frame) => `eq(mod(n,${framesPerSecond}),${frame})`).join('+');
  return `fps=${framesPerSecond}:start_time=0,${chosen === undefined ? '' : `select='${chosen}',`}${plain}`;
}

/** Returns how much of a video is decoded for them, in seconds. */
export const framesSeconds = ({ frames, ofEach }: FramesRequest): number =>
  frames / Math.min(framesPerSecond, ofEach?.length ?? framesPerSecond);

/** The last picture until the sound has ended, before a comma; no further, whatever the file said of its picture's end. */
function standing({ tailSeconds, seconds }: Pick<Probe, 'seconds' | 'tailSeconds'>): string {
  return tailSeconds > 0 ? `tpad=stop_mode=clone:stop_duration=${tailSeconds},trim=end=${seconds},` : '';
}

/**
 * From one decode both variants of every rung: inputs 0 = video, 1 = patterns, outputs [a0] [a1] [b0] [b1]. The pattern is
 * scaled up with `accurate_rnd`, or its mean would be off by 0.06; B's is the mirror image of A's around 128, and
 * `grainmerge` adds what lies above 128. The smaller rung is made from the marked larger one, so it carries the same mark.
 * To newer FFmpeg grey has full range whatever one says of it: taken to limited range its 128 would become 126, and A darker
 * than B. So it stays full, and is then called limited, as the video is.
 */
export function ladderFilter(probe: Probe): string {
  const rungs = rungsOf(probe);
  const [first, second] = rungs;
  const { width, height } = first;
  const larger = `scale=${width}:${height}:flags=bilinear+accurate_rnd:in_range=pc:out_range=pc`;
  const pattern = `${larger},format=yuv420p,setparams=range=tv,lutyuv=u=128:v=128`;
  const onClock = `fps=${framesPerSecond}:start_time=0,${standing(probe)}format=yuv420p`;
  const video = `${named(probe)}${deinterlaced(probe)}${fitted(probe, first)}${toned(probe)},${onClock}`;
  const variant = (name: 'a' | 'b') => {
    const marked = `[${name}][p${name}]blend=all_mode=grainmerge:shortest=1`;
    if (!second) return `${marked}[${name}0]`;
    return `${marked},split=2[${name}0][${name}s];[${name}s]scale=${second.width}:${second.height}:flags=bicubic[${name}1]`;
  };
  return [
    `[1:v]${pattern},split=2[pa][p]`,
    '[p]lutyuv=y=256-val[pb]',
    `[0:${probe.videoStream}]${video},split=2[a][b]`,
    variant('a'),
    variant('b'),
  ].join(';');
}

/** Sound from the video's first moment on; gaps are filled, so that it never runs away from the picture. */
export const soundFilter = 'aresample=48000:async=1:first_pts=0';

/** A segment every second at exactly the same place in all variants and rungs. */
export const x264 = {
  preset: 'veryfast',
  crf: '23',
  profile: 'high',
  gop: framesPerSecond * pictureSegmentSeconds,
  bFrames: 2,
} as const;

/**
 * The first frame is shown at 0, as the first sound is: with composition offsets that may be negative (ISO/IEC 14496-12 §8.8.8), and
 * without an edit list, which would say that the picture begins as late as its B-frames are deep. Players over MSE read those differently.
 */
export const segmentOptions = 'movflags=+negative_cts_offsets:use_editlist=0';

/** A video that is shorter than its file says is damaged: half a second and 2 % are within what clocks of containers lie. */
export const isWhole = (madeSeconds: number, promisedSeconds: number): boolean =>
  madeSeconds >= 0.98 * promisedSeconds - 0.5;
