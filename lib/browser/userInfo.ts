import { dequal } from 'dequal/lite';
import type { UserInfo } from '../session/userInfoSchema';

/** The record's key in the browser's storage; the product spec fixes the name. */
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
  administersInstallation: true,
  awaitsConfirmation: true,
  passwordLinkBy: true,
  breakGlassUntil: true,
  isTouring: true,
} as const satisfies Record<keyof UserInfo, true>;

/**
 * Returns the user kept by this browser if it has the wanted username; discards a record of another user or of another
 * form. Throws if the code that parses it could not be loaded; the record then stays.
 */
export async function readUserInfo(userId: number): Promise<UserInfo | null> {
  const record = readRecord();
  if (record === null) {
    return null;
  }
  // Loaded when there is something to parse, so that zod is not part of what a page needs to paint.
  const { firstSchemas } = await import('../api/firstSchemas');
  const parsed = (await firstSchemas.userInfoSchema()).safeParse(record);
  if (!parsed.success || parsed.data.id !== userId) {
    removeUserInfo();
    return null;
  }
  return parsed.data;
}

/**
 * Keeps a user, replacing the one before; writes only what has changed. If the browser's storage is closed, nothing is
 * kept, and the page asks the server for the user again.
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

/** Throws if a user has no such key. */
export function checkUserInfoKeys(patch: Partial<UserInfo>): void {
  for (const key of Object.keys(patch)) {
    if (!Object.hasOwn(keys, key)) {
      throw new Error(`Invalid user info key: ${key}`);
    }
  }
}

/**
 * Calls back when another tab has kept another user, because this page's calls would then be made with that user's
 * cookies. Returns the function that stops listening.
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

/** Calls back when another tab has removed the user, as signing out does. Returns the function that stops listening. */
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

/** Storage can be switched off or full; the browser then throws. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
