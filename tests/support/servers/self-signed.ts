import { generateKeyPairSync, sign } from 'node:crypto';

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128
      ? Buffer.of(length)
      : length < 256
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 255);
  return Buffer.concat([Buffer.of(tag), size, content]);
};
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const oid = (...bytes: number[]) => tlv(0x06, Buffer.from(bytes));
const utcTime = (text: string) => tlv(0x17, Buffer.from(text));

/** A certificate for `localhost` that nobody but a test trusts, made again each time: no key lies in the tree. */
export function makeCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const name = sequence(tlv(0x31, sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from('localhost')))));
  const names = sequence(tlv(0x82, Buffer.from('localhost')));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid(0x55, 0x1d, 0x11), tlv(0x04, names)))),
  );
  const signature = tlv(0x03, Buffer.of(0), sign('sha256', body, privateKey));
  const lines = sequence(body, ecdsaWithSha256, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
