import type { ApiFailure } from '../lib/browser/client';
import { hasRedFlag } from '../lib/checkIn/hasRedFlag';
import { keptMs } from '../lib/checkIn/keptMs';
import { createListeners } from '../lib/browser/listeners';
import { newUuid } from '../lib/browser/newUuid';
import type { KeptCheckIn, TooOld } from '../lib/checkIn/keptSchema';
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
  /** Those that were too old to be sent. */
  tooOld: readonly Pick<MadeCheckIn, 'at' | 'mayHaveArrived'>[];
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
    take: (link: string, now: number) => Promise<{ kept: KeptCheckIn[]; tooOld: TooOld[] }>;
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

/** Returns whether the ward may have a check-in after this: it is stored before it is evaluated, which may fail. */
function mayBeStored({ isOutcomeUnknown, status }: ApiFailure): boolean {
  return isOutcomeUnknown || status === 500;
}

/**
 * Sends check-ins, and keeps them until the server has confirmed them: in memory, and on the phone if the browser does
 * that. What waits there from an earlier visit is read at once. Each has an id, so that one that is sent again, from
 * here or another tab, counts once. Each is tried by itself: a new one does not wait for an old one.
 */
export function createOutbox({ post, phone, now, aheadMs, elapsed }: OutboxParts): Outbox {
  let state: OutboxState = { waiting: [], arrived: [], refused: [], tooOld: [] };
  const { subscribe, notify } = createListeners();
  const change = (by: Partial<OutboxState>): void => {
    state = { ...state, ...by };
    notify();
  };
  const without = (clientId: string): WaitingCheckIn[] => state.waiting.filter((each) => each.clientId !== clientId);
  const mark = (clientId: string, by: Partial<WaitingCheckIn>): void => {
    change({ waiting: state.waiting.map((each) => (each.clientId === clientId ? { ...each, ...by } : each)) });
  };
  const forget = (clientId: string): void => {
    // What could not be deleted is sent again by a later visit, which counts nothing twice.
    phone.forget(clientId).catch(() => undefined);
  };

  const link = phone.fingerprint().catch(() => null);
  /** Writes down on the phone what waits, also that it is under way: the page may be closed before the answer. */
  const keep = async ({ clientId, madeAt, answers, mayHaveArrived }: MadeCheckIn): Promise<void> => {
    const known = await link;
    if (known === null) {
      return;
    }
    await phone.keep({ clientId, link: known, madeAt, answers, mayHaveArrived });
    mark(clientId, { isOnPhone: true });
    // Confirmed while it was being kept.
    if (without(clientId).length === state.waiting.length) {
      forget(clientId);
    }
  };

  /** When the check-ins of this page were made, by `elapsed`. */
  const madeHere = new Map<string, number>();
  /** The greater of the two: a clock that is set back makes none younger, nor does a phone that slept. */
  const ageOf = ({ clientId, madeAt }: KeptCheckIn): number =>
    Math.max(now() - madeAt, elapsed() - (madeHere.get(clientId) ?? elapsed()));

  const underWay = new Set<string>();
  const attempt = async (checkIn: MadeCheckIn): Promise<void> => {
    const { clientId, at } = checkIn;
    let { mayHaveArrived } = checkIn;
    if (underWay.has(clientId)) {
      return;
    }
    const drop = (): void => {
      change({ waiting: without(clientId), tooOld: [...state.tooOld, { at, mayHaveArrived }] });
      forget(clientId);
    };
    const ageMs = ageOf(checkIn);
    // A clock that was set meanwhile makes it look old. The ward gets a red flag whatever its age.
    if (ageMs > keptMs && !hasRedFlag(checkIn)) {
      drop();
      return;
    }
    underWay.add(clientId);
    // It waits for no storage.
    keep({ ...checkIn, mayHaveArrived: true }).catch(() => undefined);
    try {
      const answer = await post(checkIn, ageMs);
      change({ waiting: without(clientId), arrived: [...state.arrived, { ...checkIn, answer }] });
      forget(clientId);
    } catch (problem) {
      const failure = problem as ApiFailure;
      mayHaveArrived ||= mayBeStored(failure);
      if (mayTryAgain(failure)) {
        mark(clientId, { hasFailed: true, mayHaveArrived });
        keep({ ...checkIn, mayHaveArrived }).catch(() => undefined);
      } else if (failure.status === 422 && 'reportedAt' in failure.fields) {
        // It would have known one that it has.
        mayHaveArrived = false;
        drop();
      } else {
        change({ waiting: without(clientId), refused: [...state.refused, { ...checkIn, mayHaveArrived, failure }] });
        forget(clientId);
      }
    } finally {
      underWay.delete(clientId);
    }
  };
  const tryAll = (): void => {
    state.waiting.forEach((checkIn) => void attempt(checkIn));
  };

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
          tooOld: [
            ...state.tooOld,
            ...tooOld.map(({ madeAt, mayHaveArrived }) => ({ at: madeAt + aheadMs(), mayHaveArrived })),
          ],
        });
        tryAll();
        // Without storage there is nothing from an earlier visit.
      },
      () => undefined,
    )
    .catch(() => undefined);

  return {
    getState: () => state,
    subscribe,
    send: (answers) => {
      const made: KeptCheckIn = { clientId: newUuid(), link: '', madeAt: now(), answers, mayHaveArrived: false };
      const checkIn: MadeCheckIn = { ...made, at: made.madeAt + aheadMs() };
      madeHere.set(made.clientId, elapsed());
      change({ waiting: [...state.waiting, { ...checkIn, isOnPhone: false, hasFailed: false }] });
      void attempt(checkIn);
      return checkIn.clientId;
    },
    tryAll,
  };
}
