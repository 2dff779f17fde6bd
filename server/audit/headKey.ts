import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDataDir } from '../db/makeDataDir';
import type { Head } from './chain';

/** What a signature covers: number and hash together, so that neither can be exchanged. */
const textOf = ({ id, hash }: Head): Buffer => Buffer.from(`wardlight audit head ${id} ${hash}`);

/**
 * Returns the Ed25519 key with which the heads of the audit are signed. It lies beside the database and in no backup:
 * who has only the database, or a copy of it, can rewrite the audit and make no signed head. If the file is missing, a
 * new key is made. Throws if the file holds something else: a new key would hide that the old one was replaced.
 */
export function headKey(dataDir: string): KeyObject {
  const file = path.join(dataDir, 'audit-head.pem');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    const { privateKey } = generateKeyPairSync('ed25519');
    makeDataDir(dataDir);
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    return privateKey;
  }
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error('audit-head.pem in DATA_DIR is not the key with which the heads of the audit are signed');
  }
  return key;
}

/** Returns a key's public half as one line of base64url, to be kept elsewhere. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64url');
}

/** Returns the signature of a head, base64url. */
export function signHead(key: KeyObject, head: Head): string {
  return sign(null, textOf(head), key).toString('base64url');
}

/** Returns whether the owner of a public half signed this head. False also for what is no key or no signature. */
export function isSigned(publicKey: string, head: Head, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, textOf(head), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}
