import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import openDecoderModule from '@jsquash/webp/codec/dec/webp_dec.js';
import { init } from '@jsquash/webp/encode.js';
import { defaultOptions } from '@jsquash/webp/meta.js';

/** Encodes one RGBA picture. */
export type WebpEncoder = (rgba: Uint8ClampedArray, width: number, height: number, quality: number) => Uint8Array;

/** Pixels as the decoder hands them over: RGBA. */
export interface DecodedPixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Decodes one picture; its bytes are left as they are. */
export type WebpDecoder = (webp: Uint8Array) => DecodedPixels;

const fileOf = (module: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`@jsquash/webp/codec/${module}`));

/**
 * libwebp as WebAssembly: the bytes that sharp makes, for two thirds of its price, because a sharp call costs half a
 * millisecond before it begins. It blocks: never in the server process.
 */
export async function openWebpEncoder(): Promise<WebpEncoder> {
  const codec = await init({ wasmBinary: fileOf('enc/webp_enc_simd.wasm') });
  return (rgba, width, height, quality) => {
    const encoded = codec.encode(rgba, width, height, { ...defaultOptions, quality, method: 2 });
    if (!encoded) throw new Error('libwebp refused a tile');
    return encoded;
  };
}

/** The same the other way, at a third of what sharp asks for five hundred small tiles. It blocks as well. */
export async function openWebpDecoder(): Promise<WebpDecoder> {
  // It hands its pixels over as the browser's `ImageData`, which Node does not know.
  Object.assign(globalThis, { ImageData: PlainPixels });
  const codec = await openDecoderModule({ noInitialRun: true, wasmBinary: fileOf('dec/webp_dec.wasm') });
  return (webp) => {
    const decoded = codec.decode(Uint8Array.from(webp));
    if (!decoded) throw new RangeError('not a WebP picture');
    return decoded;
  };
}

class PlainPixels implements DecodedPixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
