import { X509Certificate } from 'node:crypto';
import { clientCertificate, subjectPart, subjectTypes } from '../../test/clientCertificate';
import { tlsCertificate } from '../../test/tlsCertificate';
import { certificateName } from './certificateName';

const { cn, o, serialNumber } = subjectTypes;
const nameOf = (...parts: Uint8Array[]): string | null => certificateName(clientCertificate(parts).raw);

describe('the name in a certificate', () => {
  it.each([
    ['no part', []],
    ['a value of 1,000 characters', [subjectPart(cn, 'x'.repeat(1_000))]],
    ['a part without a pair', [Uint8Array.of(0x31, 0)]],
    ['a pair that is cut off', [Uint8Array.of(0x31, 2, 0x30, 9)]],
  ])('is none if its subject has %s', (_, parts) => {
    expect(nameOf(...parts)).toBeNull();
  });

  it('is none if the certificate ends too early, wherever that is', () => {
    const { raw } = clientCertificate([subjectPart(cn, 'gateway')]);
    const names = Array.from({ length: raw.length }, (_, end) => certificateName(raw.subarray(0, end)));
    expect(names.filter((name) => name !== null)).toEqual([]);
  });

  it('has every part of the subject, the last one first, and is that of a certificate that others made', () => {
    expect(nameOf(subjectPart(o, 'Hospital'), subjectPart(cn, 'gateway'))).toBe('CN=gateway, O=Hospital');
    expect(nameOf(subjectPart(o, 'Hospital'))).toBe('O=Hospital');
    expect(nameOf(subjectPart(cn, 'a'), subjectPart(cn, 'b'))).toBe('CN=b, CN=a');
    expect(nameOf(subjectPart('0603550414', 'x'))).toBe('#550414=x');
    expect(certificateName(new X509Certificate(tlsCertificate.cert).raw)).toBe('CN=wardlight-test');
  });

  it('stays the same when the certificate is renewed, also with texts of another type', () => {
    const first = nameOf(subjectPart(cn, 'gateway'));
    expect(nameOf(subjectPart(cn, 'gateway'))).toBe(first);
    expect(nameOf(subjectPart(cn, 'gateway', 0x13))).toBe(first);
  });

  it.each([
    ['a space more', 'a  b', 'a b'],
    ['a space at its end', 'a ', 'a'],
    ['an accent of its own', 'e\u0301', '\u00e9'],
    ['a letter of another alphabet', '\u0430', 'a'],
    ['a sign that is not seen', 'a\u200b', 'a'],
    ['a control character', 'a\n', 'a'],
    ['a NUL', 'a\u0000b', 'a'],
    ['its escapes as text', 'a\\0A', 'a\n'],
    ['capitals', 'A', 'a'],
    ['bytes that are no text', Uint8Array.of(0xff), Uint8Array.of(0xfe)],
    ['a name in it', 'a, O=b', 'a'],
  ])('tells subjects apart that differ by %s, in plain signs', (_, one, other) => {
    const names = [nameOf(subjectPart(cn, one)), nameOf(subjectPart(cn, other))];
    expect(names[0]).not.toBe(names[1]);
    expect(names.join('')).toMatch(/^[ -~]+$/);
  });

  it('tells a text from other parts and values that would print like it', () => {
    const lines = [
      nameOf(subjectPart(o, 'b'), subjectPart(cn, 'a')),
      nameOf(subjectPart(cn, 'a'), subjectPart(o, 'b')),
      nameOf(subjectPart(cn, 'a, O=b')),
      nameOf(subjectPart(cn, 'a + O=b')),
      nameOf(subjectPart(cn, 'a')),
      // Octets, Latin letters of a type that has none, and the digits of the former as a text.
      nameOf(subjectPart(cn, 'a', 0x04)),
      nameOf(subjectPart(cn, Uint8Array.of(0xe9), 0x13)),
      nameOf(subjectPart(cn, Uint8Array.of(0xe9))),
      nameOf(subjectPart(cn, '#040161')),
      nameOf(subjectPart(serialNumber, 'a')),
    ];
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).not.toContain(null);
  });
});
