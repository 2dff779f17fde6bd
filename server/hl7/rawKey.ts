import { randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { readKey } from '../readKey';

/**
 * Returns the key of raw messages: that of the file that is named, else of one in a folder beside the data folder. Only
 * that one is made if it is missing, for its owner alone: a file that was named and is gone is a fault, and a new key
 * would hide it. It is never in the data folder, so that a copy of the folder opens no message. Rejects if the key can
 * be neither read nor made.
 */
export async function loadRawKey(keyFile: string | null, dataDir: string): Promise<Buffer> {
  if (keyFile !== null) {
    return await readKey(keyFile, 'HL7_RAW_KEY_FILE');
  }
  const folder = `${path.resolve(dataDir)}-keys`;
  const file = path.join(folder, 'hl7-raw.key');
  await mkdir(folder, { mode: 0o700 }).catch(ifThere);
  await makeKey(file).catch(ifThere);
  return await readKey(file, 'HL7_RAW_KEY_FILE');
}

async function makeKey(file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    // A key that is lost takes all messages with it.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ifThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
    throw error;
  }
}
