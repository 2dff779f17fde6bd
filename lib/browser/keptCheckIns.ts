import type { KeptCheckIn, TooOld } from '../checkIn/keptSchema';

const storeName = 'checkIns';
let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('wardlight-check-in', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'clientId' });
    request.onsuccess = () => {
      // A phone that runs low on memory closes it.
      request.result.onclose = () => {
        opening = null;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(new Error('The phone’s storage is closed'));
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

/** Runs one request on the store and resolves with its result once the change is on the disk. */
async function run<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  return await new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const request = ask(transaction.objectStore(storeName));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(new Error('The phone’s storage refused'));
  });
}

/** Returns a link's fingerprint, or null where the browser computes none (without HTTPS): then nothing is kept. */
export async function fingerprintOf(secret: string): Promise<string | null> {
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle === undefined) {
    return null;
  }
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(secret)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps a check-in on the phone. Rejects if the browser keeps nothing. */
export async function keepCheckIn(checkIn: KeptCheckIn): Promise<void> {
  await run('readwrite', (store) => store.put(checkIn));
}

/** Deletes a check-in from the phone. */
export async function forgetCheckIn(clientId: string): Promise<void> {
  await run('readwrite', (store) => store.delete(clientId));
}

/**
 * Deletes the check-ins of all links that are older than a day, those with a red flag excepted, and returns what is
 * left of this link, with when its deleted ones were made (`sortKept`). What an older release kept in another form is
 * deleted as well.
 */
export async function takeKept(link: string, now: number): Promise<{ kept: KeptCheckIn[]; tooOld: TooOld[] }> {
  const rows = await run('readonly', (store) => store.getAll() as IDBRequest<unknown[]>);
  if (rows.length === 0) {
    return { kept: [], tooOld: [] };
  }
  const { sortKept } = await import('../checkIn/sortKept');
  const { kept, tooOld, forget, notice } = sortKept(rows, link, now);
  for (const each of notice) {
    await run('readwrite', (store) => store.put(each));
  }
  for (const clientId of forget) {
    await forgetCheckIn(clientId);
  }
  return { kept, tooOld };
}
