import { setImmediate as turn } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { Battery } from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { IngestResponse, RejectionCode } from '../../lib/vitals/schema';
import { ageFrom, stepDeviceClock, unknownClock, type CallClock, type DeviceClock } from '../../lib/vitals/deviceClock';
import { retrospectiveAfterMs } from '../../lib/alerts/timing';
import { kinds, noRate } from '../../lib/vitals/kinds';
import { parseInstant } from '../../lib/time/parseInstant';
import type { Alerts } from '../alerts/alerts';
import type { Store } from '../db/open';
import type { DeviceRow } from '../db/rows';
import { isStorageUnavailable } from '../http/errors';
import type { LiveState } from '../liveState';
import { isManual } from '../vitals/manualSource';
import { seriesKey, type Sample, type SampleKey } from '../vitals/sample';
import { deriveLatest } from '../vitals/deriveLatest';
import { invalidCode, isInvalid, isRepeat, isStated, isWithdrawn, withdrawnCode } from '../vitals/qualityCode';
import type { Rollups } from '../vitals/rollups';
import { readStored } from '../vitals/readStored';
import { checkSample, isOfPatient, type Arrival } from './checkSample';
import { fittingRows, rowsAtLeast } from './fittingRows';
import { partsOf } from './partsOf';
import { peekTimes } from './peekTimes';
import { postgresWriter } from './postgresWriter';
import { sqliteWriter } from './sqliteWriter';
import { createWaitingParts, waitingLimits, type Sender, type WaitingPart } from './waitingParts';
import { newRequest, type WriteRequest, type Writer, type Written } from './writer';

/** One call of a device. */
export interface Delivery {
  deviceId: number;
  siteId: number;
  /** The device whose token sent it, if one did: it may write for some patients alone (`mayWrite`). */
  token?: DeviceRow;
  receivedAt: EpochMs;
  /** The device's own time when it sent the call, ISO 8601. */
  sentAt: string | undefined;
  /** What the device reports about its battery, or null. */
  battery: Battery | null;
  samples: readonly unknown[];
  /**
   * The times of all that the same monitor sent with it, by its clock. An own clock is not known after the first value,
   * and one that was measured yesterday must not pass for one of now.
   */
  besides?: readonly EpochMs[];
  /** What the caller refuses already, for quarantine. It says nothing about the device's clock. */
  refused?: readonly Refused[];
  /** The device's connection, if the call may be refused because too much waits. */
  connection?: Omit<Sender, 'deviceId'>;
}

/** What one source sent in a message that is read again from a file. */
export interface EarlierCall {
  /** A source of what is read again (`isEarlier`). */
  deviceId: number;
  siteId: number;
  /** When the message came. */
  cameAt: EpochMs;
  /** When it is read again. */
  readAt: EpochMs;
  samples: readonly unknown[];
  /** What its clock was then. */
  clock: Pick<CallClock, 'offsetMs' | 'isKnown' | 'isEstablished'>;
}

/** Something that is no sample for a reason that its caller found, as it came. */
export interface Refused {
  code: RejectionCode;
  sample: unknown;
}

export interface Recorder {
  /**
   * Stores a call and returns its response after the commit. If the store fails it rejects, and nothing is stored; of a
   * call in several parts (`partsOf`) some may be, which are duplicates when the device repeats it. Live samples of
   * devices are judged and shown all the same, marked as not stored. Rejects with 429 or 503 and `Retry-After` if too
   * much waits (`waitingLimits`).
   */
  record(delivery: Delivery): Promise<IngestResponse>;
  /**
   * Stores what the sources of one message sent, like calls, and returns their responses in order. All wait and are
   * written as one of `sender`. `end` gets which samples are rejected, before anything is written, and may return a
   * statement: it runs in the transaction in which the last part of all is committed. It does not run if anything is
   * not stored, or nothing is to be stored.
   */
  recordTogether(
    deliveries: readonly Delivery[],
    sender: Sender,
    end: (rejected: readonly IngestResponse['rejected'][]) => CompiledQuery | null,
  ): Promise<{ responses: IngestResponse[]; isEnded: boolean }>;
  /**
   * Stores what the sources of one message sent long ago, after everything that came now, and returns how many samples
   * are stored, those that were before included. It is checked as it was then. What is refused is left out. It changes
   * no latest value, and says nothing about the device now. Rejects if the store fails.
   */
  recordEarlier(calls: readonly EarlierCall[]): Promise<number>;
  /**
   * Throws like `record` would if too much waits for a device's call, by the times that its text holds: a call that is
   * refused anyway costs the thread no parsing. Returns if it is not sure.
   */
  refuseUnparsed(deviceId: number, receivedAt: EpochMs, text: string): void;
  /** Returns whether the samples at the beginning of a call's text are mostly too late to sound: it is a back-fill. */
  beginsLate(deviceId: number, receivedAt: EpochMs, beginning: string): boolean;
  /**
   * Withdraws stored samples that were entered in error, and resolves after the commit: they stay on record and count
   * for nothing any more. Those that are not stored, or are withdrawn, are left out.
   */
  withdraw(keys: readonly SampleKey[], now: EpochMs): Promise<void>;
  /** Resolves when the calls that are being written now are committed and in the live state. Later calls may wait. */
  inFlight(): Promise<void>;
  /** Moves the times of the calls that wait with a step of the server's clock. Await no write meanwhile. */
  moveClock(ms: number): void;
  /** Resolves when all calls are committed. */
  idle(): Promise<void>;
  /** Returns how many rows wait for a transaction. */
  waitingRows(): number;
}

const quarantineKeeps = 1_000;

/**
 * Creates the recorder, the only way for measurements into the store. Calls that arrive in the same turn of the event
 * loop, or during a commit, share the next transaction as far as they fit into about 10 ms; others have their turn
 * between two transactions. No call waits for others to arrive.
 */
export function createRecorder(
  store: Store,
  liveState: LiveState,
  rollups: Rollups,
  alerts: Alerts,
  {
    elapsed = () => performance.now(),
    letOthers = turn,
  }: { elapsed?: () => number; letOthers?: () => Promise<unknown> } = {},
): Recorder {
  const write: Writer = store.engine === 'sqlite' ? sqliteWriter(store) : postgresWriter(store);
  const waiting = createWaitingParts(elapsed);
  /** The parts whose transaction has not begun. */
  const queued = new Set<WaitingPart>();
  let working: Promise<void> | null = null;
  let group: Promise<void> = Promise.resolve();
  /** How many rows fit into a transaction, by those before. */
  let rowsThatFit = rowsAtLeast;

  /**
   * Judges and shows live samples of devices that the store did not take, each once: they are sent again and again.
   * What a person typed in is an act, and did not happen.
   */
  const judgeUnstored = ({ samples, withdrawnAt }: WriteRequest): void => {
    const fresh = samples.filter(
      (sample) =>
        !isManual(sample.deviceId) &&
        !liveState.isEarlier(sample.deviceId) &&
        !isLate(sample) &&
        ageFrom(sample.takenAt, sample.offsetMs, sample.receivedAt) > (liveState.latestOfDevice(sample)?.asOf ?? 0),
    );
    const [first] = fresh;
    if (withdrawnAt !== null || first === undefined) {
      return;
    }
    alerts.judgeUnstored(fresh);
    for (const sample of fresh) {
      liveState.takeSample({ ...sample, isUnstored: true });
    }
    liveState.changed(first.siteId);
  };

  const commit = async (calls: WaitingPart[], givenUp: AbortSignal): Promise<void> => {
    for (const call of calls) {
      queued.delete(call);
    }
    const rows = calls.reduce((sum, call) => sum + call.rows, 0);
    let outcomes: (Written | Error)[];
    let began: number | null = null;
    let isSent = false;
    let isInDoubt = false;
    try {
      await alerts.ready(givenUp);
      began = performance.now();
      const evaluation = alerts.begin();
      outcomes = await write(
        calls.map(({ request }) => request),
        rollups.closedUntil(),
        evaluation.evaluate,
        () => {
          isSent = true;
        },
      );
      // Others went on without these samples: they are read again.
      givenUp.throwIfAborted();
      evaluation.settle();
    } catch (error) {
      began = null;
      outcomes = calls.map(() => asError(error));
      // If the connection broke during the commit, the samples may be stored: they are read again.
      isInDoubt = isSent || givenUp.aborted || !isStorageUnavailable(error);
      if (isInDoubt) {
        for (const sample of calls.flatMap(({ request }) => request.samples)) {
          rollups.doubt(sample);
        }
      }
    }
    for (const [index, { request, settle }] of calls.entries()) {
      const outcome = outcomes[index] ?? new Error('The writer gave no outcome');
      if (outcome instanceof Error) {
        // The store may have rows that are not in memory.
        if (isInDoubt || !isStorageUnavailable(outcome)) {
          alerts.doubt(request.samples.map(({ patientId }) => patientId));
        }
        request.ending?.open.add(request);
        if (isStorageUnavailable(outcome) && !givenUp.aborted) {
          judgeUnstored(request);
        }
      }
      settle(
        outcome instanceof Error ? outcome : await takeIn(store, request, outcome, liveState, rollups).catch(asError),
      );
    }
    if (began !== null) {
      // The flush at its end takes as long for one row as for all.
      rowsThatFit = fittingRows(rowsThatFit, rows, performance.now() - began - store.flushMs);
    }
  };

  const work = async (): Promise<void> => {
    do {
      // Between two transactions everybody else is served.
      await letOthers();
      const calls = waiting.take(rowsThatFit);
      if (calls.length > 0) {
        group = store
          .writeQueue((givenUp) => commit(calls, givenUp))
          .catch((error: unknown) => {
            // The store hangs: the devices keep what is not acknowledged.
            calls.forEach(({ request, settle }) => {
              request.ending?.open.add(request);
              settle(asError(error));
            });
          });
        await group;
      }
    } while (!waiting.isEmpty());
    working = null;
  };

  /** Writes a request in its parts, and resolves with their outcomes in its order once all are committed. */
  const enqueue = async (request: WriteRequest, sender: Sender | null): Promise<Written> => {
    const parts = partsOf(
      request,
      (sample) => liveState.isEarlier(sample.deviceId) || (sender !== null && isLate(sample)),
    );
    for (const part of parts) {
      request.ending?.open.add(part.request);
    }
    const outcomes = await Promise.all(
      parts.map(
        (part) =>
          new Promise<Written | Error>((settle) => {
            const call: WaitingPart = {
              ...part,
              sender,
              settle: (outcome) => {
                queued.delete(call);
                settle(outcome);
              },
            };
            waiting.add(call);
            queued.add(call);
            working ??= work();
          }),
      ),
    );
    const written: Written = [];
    outcomes.forEach((outcome, index) => {
      if (outcome instanceof Error) {
        throw outcome;
      }
      parts[index]?.places.forEach((place, position) => {
        const of = outcome[position];
        if (of === undefined) {
          throw new Error('The writer gave no outcome');
        }
        written[place] = of;
      });
    });
    return written;
  };

  /** Counts the rows of a call by the times in its text. */
  const rowsOfText = (deviceId: number, receivedAt: EpochMs, text: string): { live: number; late: number } => {
    const call = peekTimes(text);
    const known = liveState.deviceClocks.get(deviceId) ?? unknownClock;
    const { offsetMs } = stepDeviceClock(known, { receivedAt, ...call });
    return countRows(call.takenAt, { receivedAt, offsetMs });
  };

  /** Checks what was sent together, without writing anything. Throws if too much waits. */
  const check = (deliveries: readonly Delivery[], sender: Sender | null): Checked[] => {
    const arrived = deliveries.map((delivery) => arrivedOf(store, delivery, liveState));
    if (sender !== null) {
      const rows = arrived.map(({ times, arrival }) => countRows(times, arrival));
      waiting.admit(sender.deviceId, {
        live: rows.reduce((sum, { live }) => sum + live, 0),
        late: rows.reduce((sum, { late }) => sum + late, 0),
      });
    }
    return arrived.map(({ delivery, times, arrival, deviceClock, clocks, clockOffsetMs, isEstablished }) => {
      const { deviceId, receivedAt, battery } = delivery;
      liveState.deviceClocks.set(deviceId, deviceClock);
      const { request, folded, rejected } = sort(delivery, times, arrival, liveState);
      request.clocks = clocks;
      request.isClockEstablished = isEstablished;
      const offsetMs = aheadBy(receivedAt, times, rejected) ?? clockOffsetMs;
      alerts.deviceCalled(deviceId, { at: receivedAt, offsetMs, battery });
      const { token } = delivery;
      if (token !== undefined && delivery.samples.length > 0) {
        // Those that are still to be confirmed have an alert of their own.
        const isRefused = (token.gateway_until ?? 0) <= receivedAt && rejected.some(({ code }) => isOfPatient(code));
        alerts.monitorHeard(deviceId, isRefused ? 'patient' : null, receivedAt);
      }
      return { deviceId, deviceClock, request, folded, rejected };
    });
  };

  /** Writes what was checked, all in one turn of the event loop, and returns the response to each. */
  const writeChecked = async (
    checked: readonly Checked[],
    sender: Sender | null,
    ending: WriteRequest['ending'],
  ): Promise<IngestResponse[]> => {
    const groups = [true, false]
      .map((isSure) => checked.filter(({ request }) => hasRows(request) && request.isClockEstablished === isSure))
      .filter((group) => group.length > 0)
      .map((group) => {
        const requests = group.map(({ request }) => request);
        return { group, request: mergedOf(requests, ending) };
      });
    if (alerts.hasUnstored()) {
      // A store that hangs would hold them back for seconds.
      groups.forEach(({ request }) => {
        judgeUnstored(request);
      });
    }
    const settled = await Promise.allSettled(groups.map(({ request }) => enqueue(request, sender)));
    const written = new Map<Checked, Written>();
    for (const [index, one] of settled.entries()) {
      const calls = groups[index]?.group ?? [];
      if (one.status === 'rejected') {
        if (calls.length > 1 && !isStorageUnavailable(one.reason)) {
          // The fault is of one source: what the others sent is stored all the same.
          await Promise.allSettled(calls.map(({ request }) => enqueue(request, sender)));
        }
        throw one.reason;
      }
      let from = 0;
      for (const call of calls) {
        const until = from + call.request.samples.length;
        written.set(call, one.value.slice(from, until));
        from = until;
        if (call.request.clocks.length > 0) {
          noteStoredOffset(liveState, call);
        }
      }
    }
    return checked.map((call) => responseOf(call, written.get(call) ?? []));
  };

  return {
    record: async (delivery) => {
      const sender = senderOf(delivery);
      const [response] = await writeChecked(check([delivery], sender), sender, null);
      if (response === undefined) {
        throw new Error('A call has no response');
      }
      return response;
    },
    recordTogether: async (deliveries, sender, end) => {
      const checked = check(deliveries, sender);
      const query = end(checked.map(({ rejected }) => rejected));
      const ending = query === null ? null : { query, open: new Set<WriteRequest>() };
      const responses = await writeChecked(checked, sender, ending);
      return { responses, isEnded: ending !== null && checked.some(({ request }) => hasRows(request)) };
    },
    recordEarlier: async (calls) => {
      const checked = calls.map((call) => checkEarlier(call, liveState));
      const requests = [true, false].map((isSure) =>
        mergedOf(
          checked.map(({ request }) => request).filter(({ isClockEstablished }) => isClockEstablished === isSure),
          null,
        ),
      );
      await Promise.all(requests.filter(hasRows).map((request) => enqueue(request, null)));
      return checked.reduce((sum, { accepted }) => sum + accepted, 0);
    },
    refuseUnparsed: (deviceId, receivedAt, text) => {
      // Below this nothing is refused.
      if (waiting.rows() < waitingLimits.rowsOfDevice) {
        return;
      }
      const rows = rowsOfText(deviceId, receivedAt, text);
      if (rows.live + rows.late > 0) {
        waiting.admit(deviceId, rows);
      }
    },
    beginsLate: (deviceId, receivedAt, beginning) => {
      const { live, late } = rowsOfText(deviceId, receivedAt, beginning);
      return late > live;
    },
    withdraw: async (keys, now) => {
      const stored = await readStored(store, keys, liveState);
      const samples = stored.map((sample) => ({ ...sample, quality: withdrawnCode(sample.quality) }));
      if (samples.length > 0) {
        await enqueue(newRequest({ samples, withdrawnAt: now }), null);
      }
    },
    moveClock: (ms) => {
      for (const { request } of queued) {
        request.samples = request.samples.map((sample) => movedBy(ms, sample));
        request.replaced = request.replaced.map(({ sample, by }) => ({ sample: movedBy(ms, sample), by }));
      }
    },
    inFlight: () => group,
    idle: async () => {
      while (working !== null) {
        await working;
      }
    },
    waitingRows: waiting.rows,
  };
}

/** A call that was checked: what it writes, and what its response says already. */
interface Checked {
  deviceId: number;
  deviceClock: DeviceClock;
  request: WriteRequest;
  /** Repeats inside the call. */
  folded: number;
  rejected: IngestResponse['rejected'];
}

/** Returns one request for several whose samples are distinct by key; `isClockEstablished` is alike in all. */
function mergedOf(requests: readonly WriteRequest[], ending: WriteRequest['ending']): WriteRequest {
  let before = 0;
  const replaced = requests.flatMap((request) => {
    const first = before;
    before += request.samples.length;
    return request.replaced.map(({ sample, by }) => ({ sample, by: by + first }));
  });
  return newRequest({
    replaced,
    samples: requests.flatMap(({ samples }) => samples),
    quarantined: requests.flatMap(({ quarantined }) => quarantined),
    clocks: requests.flatMap(({ clocks }) => clocks),
    isClockEstablished: requests.every(({ isClockEstablished }) => isClockEstablished),
    ending,
  });
}

function responseOf({ request, folded, rejected }: Checked, written: Written): IngestResponse {
  const outcomes = [
    ...written,
    ...request.replaced.map(({ by }) => (written[by] === 'duplicate' ? 'duplicate' : 'correction')),
  ];
  const duplicates = outcomes.filter((outcome) => outcome === 'duplicate').length;
  const corrections = outcomes.filter((outcome) => outcome === 'correction').length;
  return { accepted: outcomes.length - duplicates, duplicates: duplicates + folded, corrections, rejected };
}

/** Notes that the offset of a device's clock is stored, so that the next call does not store it again. */
function noteStoredOffset({ devices }: LiveState, { deviceId, deviceClock }: Checked): void {
  const row = devices.get(deviceId);
  if (row !== undefined) {
    devices.set(deviceId, { ...row, clock_offset_ms: deviceClock.offsetMs });
  }
}

const hasRows = ({ samples, quarantined }: WriteRequest): boolean => samples.length + quarantined.length > 0;

function senderOf({ deviceId, connection }: Delivery): Sender | null {
  return connection === undefined ? null : { deviceId, ...connection };
}

/** Returns whether a sample arrived too late to sound, so that others may go first. */
function isLate({ takenAt, offsetMs, receivedAt }: Sample): boolean {
  return receivedAt - (takenAt + offsetMs) > retrospectiveAfterMs;
}

/** Counts the rows of a call by the times of its samples. One without a readable time goes to quarantine. */
function countRows(
  times: readonly (EpochMs | null)[],
  { receivedAt, offsetMs }: Pick<Arrival, 'receivedAt' | 'offsetMs'>,
): { live: number; late: number } {
  const live = times.filter((at) => at !== null && receivedAt - (at + offsetMs) <= retrospectiveAfterMs).length;
  return { live, late: times.length - live };
}

const movedBy = (ms: number, sample: Sample): Sample => ({
  ...sample,
  receivedAt: sample.receivedAt + ms,
  offsetMs: sample.offsetMs + ms,
});

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('The store failed', { cause: error });

/** Brings the committed samples into the live state and the rollups. */
async function takeIn(
  store: Store,
  { samples }: WriteRequest,
  written: Written,
  liveState: LiveState,
  rollups: Rollups,
): Promise<Written> {
  let changed = false;
  const doubtful = new Map<number, Sample>();
  samples.forEach((sample, index) => {
    const outcome = written[index];
    if (outcome !== 'duplicate') {
      rollups.take(sample, outcome === 'new');
    }
    if (liveState.isEarlier(sample.deviceId)) {
      changed ||= outcome !== 'duplicate';
      return;
    }
    if (isWithdrawn(sample.quality)) {
      doubtful.set(seriesKey(sample.patientId, sample.kind), sample);
    } else if (outcome === 'new' || (outcome === 'correction' && !liveState.isLatest(sample))) {
      liveState.takeSample(sample);
    } else if (outcome === 'correction' || isUnknown(sample, liveState)) {
      doubtful.set(seriesKey(sample.patientId, sample.kind), sample);
    }
    changed ||= outcome !== 'duplicate';
  });
  for (const { patientId, kind, minute } of doubtful.values()) {
    await deriveLatest(store, liveState, patientId, kind, [minute]);
    changed = true;
  }
  await forgetLatest(store, liveState, samples);
  const [first] = samples;
  if (changed && first !== undefined) {
    liveState.changed(first.siteId);
  }
  return written;
}

/** Removes the stored latest values of devices that have none any more: the next start would show them again. */
async function forgetLatest({ db }: Store, liveState: LiveState, samples: readonly Sample[]): Promise<void> {
  for (const sample of samples.filter(({ quality }) => isWithdrawn(quality))) {
    if (liveState.latestOfDevice(sample) === undefined) {
      await db
        .deleteFrom('latest_values')
        .where('patient_id', '=', sample.patientId)
        .where('kind', '=', sample.kind)
        .where('device_id', '=', sample.deviceId)
        .execute();
    }
  }
}

/** Returns whether a duplicate of the store is new to the live state: a commit whose result was lost stored it. */
function isUnknown(sample: Sample, liveState: LiveState): boolean {
  const known = liveState.latestOfDevice(sample)?.sample;
  if (known === undefined || known.takenAt < sample.takenAt) {
    return true;
  }
  return known.takenAt === sample.takenAt && !isRepeat(known, sample);
}

/**
 * Returns the `takenAt` of each sample, null if it is no instant. Neighbours mostly share one text, which is parsed
 * once.
 */
function timesOf(samples: readonly unknown[]): (EpochMs | null)[] {
  let lastText: unknown = null;
  let lastTime: number | null = null;
  return samples.map((raw) => {
    const text = typeof raw === 'object' && raw !== null && 'takenAt' in raw ? raw.takenAt : null;
    if (text !== lastText) {
      lastText = text;
      lastTime = typeof text === 'string' ? parseInstant(text) : null;
    }
    return lastTime;
  });
}

/** A known offset is stored again if it differs from the stored one by more than this, in milliseconds. */
const storedWithinMs = 1_000;

/** A call with the times of its samples, and what it says of its device's clock. */
interface Arrived {
  delivery: Delivery;
  times: (EpochMs | null)[];
  arrival: Arrival & { stating: Map<number, EpochMs> };
  deviceClock: DeviceClock;
  /** Store a new offset, if there is one. */
  clocks: CompiledQuery[];
  clockOffsetMs: number;
  isEstablished: boolean;
}

/** Works out how wrong the device's clock is. People have no clock of their own. */
function arrivedOf({ db }: Store, delivery: Delivery, { deviceClocks, devices }: LiveState): Arrived {
  const times = timesOf(delivery.samples);
  const { deviceId, siteId, receivedAt, besides = [] } = delivery;
  const sentAt = delivery.sentAt === undefined ? null : parseInstant(delivery.sentAt);
  const known = deviceClocks.get(deviceId) ?? unknownClock;
  const takenAt = known.offsetMs === null ? [...times, ...besides] : times;
  const row = devices.get(deviceId);
  const asksZone = row !== undefined && row.sender_id !== null;
  const call = { receivedAt, sentAt, takenAt, asksZone };
  const { clock, offsetMs, isKnown, isEstablished } = stepDeviceClock(known, call);
  const arrival = {
    deviceId,
    siteId,
    receivedAt,
    offsetMs,
    isClockKnown: isKnown,
    isClockEstablished: isEstablished,
    token: delivery.token ?? null,
    stating: new Map<number, EpochMs>(),
  };
  const stored = row?.clock_offset_ms ?? null;
  const isStored =
    stored === null || clock.offsetMs === null
      ? stored === clock.offsetMs
      : Math.abs(stored - clock.offsetMs) <= storedWithinMs;
  return {
    delivery,
    times,
    arrival,
    deviceClock: clock,
    // Of two clocks that differ that of `sentAt` is the device's.
    clockOffsetMs: clock.offsetMs ?? offsetMs,
    isEstablished,
    clocks:
      row === undefined || isStored
        ? []
        : [db.updateTable('devices').set({ clock_offset_ms: clock.offsetMs }).where('id', '=', deviceId).compile()],
  };
}

/**
 * Returns the offset of a device's clock by samples that were refused for lying in the future, in milliseconds; null if
 * none were. Nothing else shows a wrong clock if the device does not send its own time.
 */
function aheadBy(
  receivedAt: EpochMs,
  times: readonly (number | null)[],
  rejected: IngestResponse['rejected'],
): number | null {
  const ahead = rejected.flatMap(({ index, code }) => (code === 'time_in_future' ? (times[index] ?? []) : []));
  return ahead.length === 0 ? null : receivedAt - Math.max(...ahead);
}

/** Checks what came long ago as it was checked then. */
function checkEarlier(
  { deviceId, siteId, cameAt, readAt, samples, clock }: EarlierCall,
  liveState: LiveState,
): { request: WriteRequest; accepted: number } {
  const { offsetMs, isKnown, isEstablished } = clock;
  const arrival = {
    deviceId,
    siteId,
    receivedAt: cameAt,
    offsetMs,
    isClockKnown: isKnown,
    isClockEstablished: isEstablished,
    token: null,
    stating: new Map(),
  };
  const { request, rejected } = sort({ samples }, timesOf(samples), arrival, liveState);
  const nowRead = (sample: Sample): Sample => ({ ...sample, receivedAt: readAt });
  return {
    request: newRequest({
      samples: request.samples.map(nowRead),
      replaced: request.replaced.map(({ sample, by }) => ({ sample: nowRead(sample), by })),
      isClockEstablished: isEstablished,
    }),
    accepted: samples.length - rejected.length,
  };
}

/** What quarantine keeps of a sample; a character that the cut would halve is left out whole. */
function asItCame(raw: unknown): string {
  return JSON.stringify(raw)
    .slice(0, quarantineKeeps)
    .replace(/[\uD800-\uDBFF]$/, '');
}

/** Checks every sample and merges repeats inside the call, so that the writers get each key once. */
function sort(
  delivery: Pick<Delivery, 'samples' | 'refused'>,
  times: readonly (number | null)[],
  arrival: Arrival & { stating: Map<number, EpochMs> },
  liveState: LiveState,
): { request: WriteRequest; folded: number; rejected: IngestResponse['rejected'] } {
  const rejected: IngestResponse['rejected'] = [];
  const request = newRequest();
  const places = new Map<string, number>();
  let folded = 0;
  const quarantine = (code: RejectionCode, sample: unknown): void => {
    const { deviceId, siteId, receivedAt } = arrival;
    request.quarantined.push({ siteId, deviceId, receivedAt, code, sample: asItCame(sample) });
  };
  delivery.samples.forEach((raw, index) => {
    const checked = checkSample(raw, times[index] ?? null, arrival, liveState);
    if ('code' in checked) {
      rejected.push({ index, ...checked });
      quarantine(checked.code, raw);
      return;
    }
    if (isStated(checked.quality)) {
      const series = seriesKey(checked.patientId, checked.kind);
      arrival.stating.set(series, Math.max(arrival.stating.get(series) ?? 0, checked.takenAt));
    }
    const key = `${checked.patientId} ${checked.kind} ${checked.takenAt}`;
    const place = places.get(key);
    const earlier = place === undefined ? undefined : request.samples[place];
    if (place === undefined || earlier === undefined) {
      places.set(key, request.samples.push(checked) - 1);
    } else if (isRepeat(earlier, checked)) {
      folded += 1;
    } else {
      request.replaced.push({ sample: earlier, by: place });
      request.samples[place] = checked;
    }
  });
  for (const { code, sample } of delivery.refused ?? []) {
    quarantine(code, sample);
  }
  if (arrival.token !== null) {
    request.samples.forEach((sample, index) => {
      const { patientId, kind, takenAt, value, quality } = sample;
      const beside = places.get(`${patientId} ${kinds.spo2.code} ${takenAt}`);
      const isAlone = beside === undefined || isInvalid(request.samples[beside]?.quality ?? quality);
      if (value === noRate && isAlone && (kind === kinds.heartRate.code || kind === kinds.pulseRate.code)) {
        request.samples[index] = { ...sample, quality: invalidCode(quality) };
      }
    });
  }
  return { request, folded, rejected };
}
