import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { sameText } from '../http/csrf';

/** Each part of a file has a tag of its own, so that nothing is used that was not checked first. */
const partBytes = 65_536;
const tagBytes = 16;

/** Returns the name of an encrypted file. */
export const encryptedName = (name: string): string => `${name}.enc`;

/** The keys of one backup, made from the operator's key and the backup's salt. */
export interface BackupKeys {
  /** Returns a stream that encrypts a file of this name (AES-256-GCM). */
  encrypt(name: string): Transform;
  /** Returns a stream that decrypts it, and fails if the file is not whole or not this one. */
  decrypt(name: string): Transform;
  /** Returns the seal of a text. */
  seal(text: string): string;
  /** Returns whether a seal is that of a text. */
  isSeal(text: string, seal: string): boolean;
}

/** Returns the keys of the backup with this salt. The file's name is part of its key: no two can be exchanged. */
export function backupKeys(key: Buffer, salt: string): BackupKeys {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'base64url'), `wardlight backup ${purpose}`, 32));
  const seal = (text: string): string => createHmac('sha256', derived('manifest')).update(text).digest('base64url');
  return {
    encrypt: (name) => encryptWith(derived(`file ${name}`)),
    decrypt: (name) => decryptWith(derived(`file ${name}`)),
    seal,
    isSeal: (text, sealed) => sameText(seal(text), sealed),
  };
}

/** A key encrypts one file, so the number of a part is its nonce. The last one is marked: none can be cut off. */
function nonceOf(part: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(part, 0, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function encryptWith(key: Buffer): Transform {
  return inParts(partBytes, (part, number, isLast) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast));
    return Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()]);
  });
}

function decryptWith(key: Buffer): Transform {
  return inParts(partBytes + tagBytes, (part, number, isLast) => {
    if (part.length < tagBytes) {
      throw new Error('The backup is damaged: an encrypted file is not whole');
    }
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes });
    decipher.setAuthTag(part.subarray(part.length - tagBytes));
    try {
      return Buffer.concat([decipher.update(part.subarray(0, part.length - tagBytes)), decipher.final()]);
    } catch {
      throw new Error('The backup is damaged, or the key is another one: an encrypted file cannot be read');
    }
  });
}

/** Returns a stream that changes its input part by part. The last part is shorter, or as long, or empty. */
function inParts(length: number, change: (part: Buffer, number: number, isLast: boolean) => Buffer): Transform {
  let rest: Buffer[] = [];
  let held = 0;
  let number = 0;
  const next = (bytes: number, isLast: boolean): Buffer => {
    const all = Buffer.concat(rest);
    rest = [all.subarray(bytes)];
    held = all.length - bytes;
    number += 1;
    return change(all.subarray(0, bytes), number - 1, isLast);
  };
  const attempt = (done: TransformCallback, work: () => void): void => {
    try {
      work();
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error('a part of a backup could not be changed'));
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        rest.push(chunk);
        held += chunk.length;
        // One that is full is the last only if nothing follows.
        while (held > length) {
          this.push(next(length, false));
        }
      });
    },
    flush(done) {
      attempt(done, () => {
        this.push(next(held, true));
      });
    },
  });
}
