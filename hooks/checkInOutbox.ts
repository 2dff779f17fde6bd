import type { ApiFailure } from '../lib/browser/client';
import { hasRedFlag } from '../lib/checkIn/hasRedFlag';
import { keptMs } from '../lib/checkIn/keptMs';
import { newUuid } from '../lib/browser/newUuid';
import type { KeptCheckIn } from '../lib/checkIn/keptSchema';
import type { SentCheckIn } from '../lib/checkIn/schema';
import type { CheckInAnswers } from '../lib/checkIn/typedCheckIn';

/** A check-in of this page or of an earlier visit. */
interface MadeCheckIn extends KeptCheckIn {
  /** When it was made, by the ward's clock: that of a phone may be a day wrong. Epoch milliseconds. */
  at: number;
}

/** A check-in that the server has not confirmed. */
export interface WaitingCheckIn extends MadeCheckIn {
  /** Whether it would outlive this page. */
  isOnPhone: boolean;
  /** Whether a try to send it has failed. */
  hasFailed: boolean;
}

export interface OutboxState {
  waiting: readonly WaitingCheckIn[];
  /** Those that the server confirmed to this page, the last one last. */
  arrived: readonly (MadeCheckIn & { answer: SentCheckIn })[];
  /** Those that it refused for good. */
  refused: readonly (MadeCheckIn & { failure: ApiFailure })[];
  /** When those were made that were too old to be sent, by the ward's clock in epoch milliseconds. */
  tooOld: readonly number[];
}

export interface Outbox {
  getState: () => OutboxState;
  subscribe: (listen: () => void) => () => void;
  /** Takes a check-in, keeps it on the phone and sends it. Returns its id. */
  send: (answers: CheckInAnswers) => string;
  /** Sends everything that waits. */
  tryAll: () => void;
}

interface OutboxParts {
  /** Sends a check-in that was made so many milliseconds ago. Rejects with `ApiFailure`. */
  post: (checkIn: KeptCheckIn, ageMs: number) => Promise<SentCheckIn>;
  phone: {
    fingerprint: () => Promise<string | null>;
    keep: (checkIn: KeptCheckIn) => Promise<void>;
    forget: (clientId: string) => Promise<void>;
    take: (link: string, now: number) => Promise<{ kept: KeptCheckIn[]; tooOld: number[] }>;
  };
  /** The phone's clock, epoch milliseconds. */
  now: () => number;
  /** How far the ward's clock is ahead of the phone's, in milliseconds. */
  aheadMs: () => number;
  /** Milliseconds that passed, however the clock is set; a sleeping phone may not count them. */
  elapsed: () => number;
}

/**
 * Returns whether another try may succeed: there was no answer, or none of Wardlight's own, as from a hotel's network.
 */
function mayTryAgain({ code, status }: ApiFailure): boolean {
  return status === null || status === 429 || status >= 500 || code === 'unreadable_response';
}

/**
 * Sends check-ins, and keeps them until the server has confirmed them: in memory, and on the phone if the browser does
 * that. What waits there from an earlier visit is read at once. Each has an id, so that one that is sent again, from
 * here or another tab, counts once. Each is tried by itself: a new one does not wait for an old one.
 */
export function createOutbox({ post, phone, now, aheadMs, elapsed }: OutboxParts): Outbox {
  let state: OutboxState = { waiting: [], arrived: [], refused: [], tooOld: [] };
  const listeners = new Set<() => void>();
  const change = (by: Partial<OutboxState>): void => {
    state = { ...state, ...by };
    listeners.forEach((listen) => listen());
  };
  const without = (clientId: string): WaitingCheckIn[] => state.waiting.filter((each) => each.clientId !== clientId);
  const mark = (clientId: string, by: Partial<WaitingCheckIn>): void => {
    change({ waiting: state.waiting.map((each) => (each.clientId === clientId ? { ...each, ...by } : each)) });
  };
  const forget = (clientId: string): void => {
    // What could not be deleted is sent again by a later visit, which counts nothing twice.
    phone.forget(clientId).catch(() => undefined);
  };

  /** When the check-ins of this page were made, by `elapsed`. */
  const madeHere = new Map<string, number>();
  /** The greater of the two: a clock that is set back makes none younger, nor does a phone that slept. */
  const ageOf = ({ clientId, madeAt }: KeptCheckIn): number =>
    Math.max(now() - madeAt, elapsed() - (madeHere.get(clientId) ?? elapsed()));

  const underWay = new Set<string>();
  const attempt = async (checkIn: MadeCheckIn): Promise<void> => {
    const { clientId, at } = checkIn;
    if (underWay.has(clientId)) {
      return;
    }
    const drop = (): void => {
      change({ waiting: without(clientId), tooOld: [...state.tooOld, at] });
      forget(clientId);
    };
    const ageMs = ageOf(checkIn);
    // A clock that was set meanwhile makes it look old. The ward gets a red flag whatever its age.
    if (ageMs > keptMs && !hasRedFlag(checkIn)) {
      drop();
      return;
    }
    underWay.add(clientId);
    try {
      const answer = await post(checkIn, ageMs);
      change({ waiting: without(clientId), arrived: [...state.arrived, { ...checkIn, answer }] });
      forget(clientId);
    } catch (problem) {
      const failure = problem as ApiFailure;
      if (mayTryAgain(failure)) {
        mark(clientId, { hasFailed: true });
      } else if (failure.status === 422 && 'reportedAt' in failure.fields) {
        drop();
      } else {
        change({ waiting: without(clientId), refused: [...state.refused, { ...checkIn, failure }] });
        forget(clientId);
      }
    } finally {
      underWay.delete(clientId);
    }
  };
  const tryAll = (): void => {
    state.waiting.forEach((checkIn) => void attempt(checkIn));
  };

  const link = phone.fingerprint().catch(() => null);
  void link
    .then(
      async (known) => {
        if (known === null) {
          return;
        }
        const { kept, tooOld } = await phone.take(known, now());
        const here = new Set(state.waiting.map(({ clientId }) => clientId));
        change({
          waiting: [
            ...kept
              .filter(({ clientId }) => !here.has(clientId))
              .map((each) => ({ ...each, at: each.madeAt + aheadMs(), isOnPhone: true, hasFailed: true })),
            ...state.waiting,
          ],
          tooOld: [...state.tooOld, ...tooOld.map((madeAt) => madeAt + aheadMs())],
        });
        tryAll();
        // Without storage there is nothing from an earlier visit.
      },
      () => undefined,
    )
    .catch(() => undefined);

  return {
    getState: () => state,
    subscribe: (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    send: (answers) => {
      const made: KeptCheckIn = { clientId: newUuid(), link: '', madeAt: now(), answers };
      const checkIn: MadeCheckIn = { ...made, at: made.madeAt + aheadMs() };
      madeHere.set(made.clientId, elapsed());
      change({ waiting: [...state.waiting, { ...checkIn, isOnPhone: false, hasFailed: false }] });
      const keeping = link.then(async (known) => {
        if (known !== null) {
          await phone.keep({ ...made, link: known });
          mark(checkIn.clientId, { isOnPhone: true });
          // Confirmed while it was being kept.
          if (without(checkIn.clientId).length === state.waiting.length) {
            forget(checkIn.clientId);
          }
        }
      });
      keeping.catch(() => undefined);
      void attempt(checkIn);
      return checkIn.clientId;
    },
    tryAll,
  };
}
