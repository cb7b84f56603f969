import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@jsquash/webp/encode.js';
import { defaultOptions } from '@jsquash/webp/meta.js';

/** Encodes one RGBA picture. */
export type WebpEncoder = (rgba: Uint8ClampedArray, width: number, height: number, quality: number) => Uint8Array;

/**
 * libwebp as WebAssembly: the bytes that sharp makes, for two thirds of its price, because a sharp call costs half a
 * millisecond before it begins. It blocks: never in the server process.
 */
export async function openWebpEncoder(): Promise<WebpEncoder> {
  const file = createRequire(import.meta.url).resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm');
  const codec = await init({ wasmBinary: readFileSync(file) });
  return (rgba, width, height, quality) => {
    const encoded = codec.encode(rgba, width, height, { ...defaultOptions, quality, method: 2 });
    if (!encoded) throw new Error('libwebp refused a tile');
    return encoded;
  };
}
