import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { tlsCertificate } from './tlsCertificate';

/** The DER of some types that are in the subjects of certificates. */
export const subjectTypes = { cn: '0603550403', o: '060355040a', serialNumber: '0603550405' } as const;

const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.of(tag, ...head), content]);
};
const sequence = (...contents: Uint8Array[]): Buffer => der(0x30, ...contents);
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const time = (at: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`));
const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));

/** Returns a part of a subject: a type of `subjectTypes` and a value, UTF8String unless `tag` says otherwise. */
export function subjectPart(type: string, value: string | Uint8Array, tag = 0x0c): Buffer {
  return der(0x31, sequence(hex(type), der(tag, Buffer.from(value))));
}

/**
 * Returns a new certificate with a subject of these parts, and its key (PEM). It is signed by `tlsCertificate`, or
 * as if it were (`isStrange`).
 */
export function clientCertificate(
  parts: readonly Uint8Array[],
  { isExpired = false, isStrange = false } = {},
): { cert: string; key: string; raw: Uint8Array } {
  const day = 86_400_000;
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.concat([Uint8Array.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    sequence(subjectPart(subjectTypes.cn, 'wardlight-test')),
    sequence(time(Date.now() - 2 * day), time(Date.now() + (isExpired ? -day : day))),
    sequence(...parts),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', signed, isStrange ? keys.privateKey : tlsCertificate.key);
  const raw = sequence(signed, ecdsaWithSha256, der(0x03, Uint8Array.of(0), signature));
  const body = raw.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`,
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    raw,
  };
}
