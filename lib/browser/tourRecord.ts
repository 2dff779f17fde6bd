import { logError } from '../log';

/** How far a user has come in the walkthrough. The record outlives the session. */
export interface TourRecord {
  /** The index of the next step, from 0. */
  step: number;
  status: TourStatus;
}
export type TourStatus = 'ongoing' | 'completed';

const begin: TourRecord = { step: 0, status: 'ongoing' };
const laterKey = 'wardlight-tour-later';

/** Returns the key of a user's record in the browser's storage; the product specification fixes the name. */
export const tourKey = (userId: number): string => `wardlight-onboarding-tour-${userId}`;

/** What could not be stored: a browser without storage shows the walkthrough once a page load, and no more. */
const kept = new Map<string, string>();

/**
 * Returns a user's record; the beginning if there is none. A broken record is logged and replaced by the beginning.
 */
export function readTour(userId: number): TourRecord {
  const text = read(tourKey(userId));
  if (text === null) {
    return begin;
  }
  const record = parseRecord(text);
  if (record === null) {
    logError('The stored walkthrough could not be read and begins again');
    write(tourKey(userId), JSON.stringify(begin));
    return begin;
  }
  return record;
}

/** Stores the next step of a user. Throws 'Invalid Step! {value}' unless it is a number of at least 0. */
export function setTourStep(userId: number, step: unknown): void {
  if (!isStep(step)) {
    throw new Error(`Invalid Step! ${String(step)}`);
  }
  write(tourKey(userId), JSON.stringify({ ...readTour(userId), step }));
}

/** Stores the status of a user. Throws 'Invalid tour status: {value}' unless it is one of the two. */
export function setTourStatus(userId: number, status: unknown): void {
  if (!isStatus(status)) {
    throw new Error(`Invalid tour status: ${String(status)}`);
  }
  write(tourKey(userId), JSON.stringify({ ...readTour(userId), status }));
}

/** A session, as the walkthrough knows it: whose, and when it ends by itself. Its token changes when it is unlocked. */
export interface TourSession {
  userId: number;
  endsAt: number | null;
}

/** Hides the walkthrough in all tabs until the next sign-in. */
export function showTourLater(session: TourSession): void {
  write(laterKey, nameOf(session));
}

/** Returns whether the user has put the walkthrough off in this session. */
export function isTourLater(session: TourSession): boolean {
  return read(laterKey) === nameOf(session);
}

/** Forgets that the walkthrough was put off: when a user signs in, or starts it again. */
export function forgetTourLater(): void {
  kept.delete(laterKey);
  try {
    localStorage.removeItem(laterKey);
  } catch {
    // Nothing was stored.
  }
}

/** Puts a user back to the first step. */
export function beginTourAgain(userId: number): void {
  forgetTourLater();
  write(tourKey(userId), JSON.stringify(begin));
}

/** Calls back when another tab has changed a user's record, or has put the walkthrough off. Returns what stops it. */
export function onTourElsewhere(userId: number, handle: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    if (newValue !== null && (key === tourKey(userId) || key === laterKey)) {
      handle();
    }
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

const nameOf = ({ userId, endsAt }: TourSession): string => `${userId} ${endsAt ?? ''}`;
const isStep = (step: unknown): step is number => typeof step === 'number' && step >= 0;
const isStatus = (status: unknown): status is TourStatus => status === 'ongoing' || status === 'completed';

/** By hand and not with zod: every page of a signed-in user reads it before it has painted all of itself. */
function parseRecord(text: string): TourRecord | null {
  try {
    const record: unknown = JSON.parse(text);
    return typeof record === 'object' &&
      record !== null &&
      'step' in record &&
      'status' in record &&
      isStep(record.step) &&
      isStatus(record.status)
      ? { step: record.step, status: record.status }
      : null;
  } catch {
    return null;
  }
}

function read(key: string): string | null {
  try {
    return kept.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    kept.delete(key);
  } catch {
    kept.set(key, text);
  }
}
