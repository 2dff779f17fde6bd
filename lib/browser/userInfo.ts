import { dequal } from 'dequal/lite';
import type { UserInfo } from '../session/userInfoSchema';

/** Where the browser's storage holds the record; the product spec fixes the name. */
export const userInfoKey = 'userInfo';

const keys = {
  id: true,
  fname: true,
  lname: true,
  email: true,
  username: true,
  siteId: true,
  userImage: true,
  type: true,
  isAdmin: true,
  site: true,
  units: true,
  permissions: true,
  breakGlassUntil: true,
  isTouring: true,
} as const satisfies Record<keyof UserInfo, true>;

/**
 * Returns the user held by this browser if it is the one asked for; a record of another user or of another form is
 * discarded. Throws where the code that parses it could not be fetched; the record then stays.
 */
export async function readUserInfo(userId: number): Promise<UserInfo | null> {
  const record = readRecord();
  if (record === null) {
    return null;
  }
  // Loaded when there is something to parse, so that zod stays out of what a page needs to paint.
  const { userInfo } = await import('../session/userInfoSchema');
  const parsed = userInfo.safeParse(record);
  if (!parsed.success || parsed.data.id !== userId) {
    removeUserInfo();
    return null;
  }
  return parsed.data;
}

/**
 * Keeps a user, replacing the one that was held; writes only what has changed. If the browser's storage is closed
 * nothing is held, and the user is asked for again.
 */
export function writeUserInfo(info: UserInfo): void {
  if (!dequal(readRecord(), info)) {
    withStorage((storage) => storage.setItem(userInfoKey, JSON.stringify(info)));
  }
}

/** Forgets the user. */
export function removeUserInfo(): void {
  withStorage((storage) => storage.removeItem(userInfoKey));
}

/** Throws at a key that a user does not have. */
export function checkUserInfoKeys(patch: Partial<UserInfo>): void {
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(keys, key)) {
      throw new Error(`Invalid user info key: ${key}`);
    }
  }
}

/**
 * Calls back when another tab has kept another user, and with that user's cookies this page's calls would be answered.
 * Returns how to stop listening.
 */
export function onOtherUser(userId: number, handle: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    const record = key === userInfoKey && newValue !== null ? parseRecord(newValue) : null;
    if (record !== null && 'id' in record && record.id !== userId) {
      handle();
    }
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

/** Calls back when another tab has forgotten the user, as signing out does. Returns how to stop listening. */
export function onForgotten(handle: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    if (key === userInfoKey && newValue === null) {
      handle();
    }
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

function readRecord(): object | null {
  const text = withStorage((storage) => storage.getItem(userInfoKey));
  if (text === null) {
    return null;
  }
  const record = parseRecord(text);
  if (record === null) {
    removeUserInfo();
  }
  return record;
}

function parseRecord(text: string): object | null {
  try {
    const record: unknown = JSON.parse(text);
    return typeof record === 'object' ? record : null;
  } catch {
    return null;
  }
}

/** Storage can be switched off or full, which a browser says by throwing. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
