import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_FIELD_BB,
  AV_FIELD_BT,
  AV_FIELD_TB,
  AV_FIELD_TT,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  AVCOL_TRC_UNSPECIFIED,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  Codec,
  type Demuxer,
  type Stream,
} from 'node-av';
import { startSeconds } from './node-av-input.ts';

/** The same words as `ffprobe -of json`, so that one reader understands both. */
export function describeFile(input: Demuxer): object {
  return {
    format: {
      format_name: input.formatName,
      duration: secondsText(input.duration),
      start_time: String(startSeconds(input)),
      tags: input.metadata,
    },
    streams: input.streams.map((stream) => ({
      index: stream.index,
      codec_type: typeOf(stream),
      ...(Codec.findDecoder(stream.codecpar.codecId) ? { codec_name: 'known' } : {}),
      width: stream.codecpar.width,
      height: stream.codecpar.height,
      sample_aspect_ratio: fraction(
        stream.sampleAspectRatio.num ? stream.sampleAspectRatio : stream.codecpar.sampleAspectRatio,
        ':',
      ),
      avg_frame_rate: fraction(stream.avgFrameRate, '/'),
      r_frame_rate: fraction(stream.rFrameRate, '/'),
      field_order: fieldOrders.get(stream.codecpar.toJSON().fieldOrder),
      color_transfer:
        transfers.get(stream.codecpar.colorTrc) ??
        (stream.codecpar.colorTrc === AVCOL_TRC_UNSPECIFIED ? undefined : 'known'),
      color_primaries: stream.codecpar.colorPrimaries === AVCOL_PRI_UNSPECIFIED ? undefined : 'known',
      color_space: stream.codecpar.colorSpace === AVCOL_SPC_UNSPECIFIED ? undefined : 'known',
      duration: secondsText((Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den),
      start_time: firstMoment(stream),
      tags: stream.metadata?.getAll() ?? {},
      disposition: dispositionOf(stream),
      side_data_list: [...matrixOf(stream), ...dolbyVisionOf(stream)],
    })),
  };
}

const transfers = new Map<number, string>([
  [AVCOL_TRC_SMPTE2084, 'smpte2084'],
  [AVCOL_TRC_ARIB_STD_B67, 'arib-std-b67'],
]);

/** Of the package's parameters only their JSON tells it. */
const fieldOrders = new Map<number, string>([
  [AV_FIELD_TT, 'tt'],
  [AV_FIELD_BB, 'bb'],
  [AV_FIELD_TB, 'tb'],
  [AV_FIELD_BT, 'bt'],
]);

const dispositionOf = ({ disposition }: Stream) => ({
  attached_pic: disposition & AV_DISPOSITION_ATTACHED_PIC ? 1 : 0,
  default: disposition & AV_DISPOSITION_DEFAULT ? 1 : 0,
});
const firstMoment = ({ startTime, timeBase: { num, den } }: Stream): string | undefined =>
  startTime === AV_NOPTS_VALUE ? undefined : String((Number(startTime) * num) / den);
const secondsText = (seconds: number) => (Number.isFinite(seconds) && seconds > 0 ? String(seconds) : undefined);
const fraction = ({ num, den }: { num: number; den: number }, sign: string) => `${num}${sign}${den}`;

function typeOf({ codecpar: { codecType } }: Stream): string {
  if (codecType === AVMEDIA_TYPE_VIDEO) return 'video';
  return codecType === AVMEDIA_TYPE_AUDIO ? 'audio' : 'other';
}

/** The configuration record of Dolby Vision, a byte a field: the eighth is its base layer's compatibility. */
function dolbyVisionOf({ codecpar }: Stream): { dv_bl_signal_compatibility_id: number }[] {
  const record = codecpar.getCodedSideData(AV_PKT_DATA_DOVI_CONF);
  return record === null || record.length < 8 ? [] : [{ dv_bl_signal_compatibility_id: record.readUInt8(7) }];
}

/** The matrix of a camera's turn, in the words of `ffprobe`. */
function matrixOf({ codecpar }: Stream): { displaymatrix: string }[] {
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return [];
  const lines = [0, 1, 2].map((line) => {
    const numbers = [0, 1, 2].map((n) => matrix.readInt32LE(4 * (3 * line + n)));
    return `${line}: ${numbers.join(' ')}`;
  });
  return [{ displaymatrix: lines.join('\n') }];
}
