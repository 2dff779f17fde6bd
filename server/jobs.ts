import type { Logger } from 'pino';
import { createHeartbeat } from './alerts/heartbeat';
import { headKey, publicHalf, signHead } from './audit/headKey';
import { readHead } from './audit/verify';
import type { BackupSchedule } from './backup/schedule';
import { unhurried } from './db/open';
import { untilHung } from './db/untilHung';
import { deleteAnswers } from './hl7/answers';
import type { Server } from './server';
import { lockIdleSessions } from './session/routes';
import { applyRetention } from './vitals/retention';

/** Work that repeats. A run is skipped while the one before it is still running. */
export interface Job {
  name: string;
  everyMs: number;
  /** Also runs once at start. */
  atStart?: true;
  /** Its first run comes so many milliseconds after the start, the others `everyMs` after each other. */
  firstAfterMs?: number;
  /** What a failure means for the ward, for the log. */
  failed: string;
  /** Does the work. `signal` is aborted when the server stops: work in many steps then ends after its current step. */
  run: (signal: AbortSignal) => Promise<unknown>;
}

export interface Jobs {
  /** Starts the jobs. Does nothing after `stop`, because a server may be stopped before it has started. */
  start(): void;
  /** Starts no further run, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** A tick or a heartbeat that takes longer is given up, so that the next one can run. */
const tickWithinMs = 10 * secondMs;
const beatWithinMs = 25 * secondMs;
/**
 * The first heartbeat's values are too near those of the last one if a crash and a start were all that came between:
 * its alert would not open again. The one that notices a silence comes 60 s later, before beats count as missed.
 */
const firstBeatAfterMs = 10 * secondMs;

/** Returns the jobs of a server, the most frequent first. */
export function jobsOf(server: Server, backups: Pick<BackupSchedule, 'tick'>): Job[] {
  const { store, storage, disk, lateRows, rollups, recorder, rawMessages, alerts, alertPath, clockWatch } = server;
  const { metrics, env, log, now } = server;
  const beat = createHeartbeat(server);
  return [
    {
      name: 'clock',
      everyMs: secondMs,
      failed: 'the clock of the server was set and nothing could be moved with it; it is tried again in a second',
      run: () => clockWatch.check(),
    },
    {
      name: 'storage',
      everyMs: secondMs,
      failed: 'nothing can be stored; it is tried again in a second',
      run: () =>
        untilHung(tickWithinMs, async (givenUp) => {
          await storage.check();
          givenUp.throwIfAborted();
          await lateRows.append(givenUp);
        }),
    },
    {
      name: 'rollups',
      everyMs: secondMs,
      failed: 'closing minutes failed; it is tried again in a second',
      run: async () => {
        // Before it reads what it could not store.
        await storage.check();
        await rollups.catchUp(recorder.inFlight);
      },
    },
    {
      name: 'idle sessions',
      everyMs: secondMs,
      failed: 'recording that a session is locked failed; it is locked all the same',
      run: () => lockIdleSessions(server),
    },
    {
      name: 'searches',
      everyMs: 10 * secondMs,
      failed: 'recording searches failed; it is tried again, and further searches are refused until it works',
      run: () => server.flushSearches(),
    },
    {
      name: 'alerts by the clock',
      everyMs: secondMs,
      failed: 'evaluating the clock failed; the next run makes up for it',
      run: () =>
        untilHung(tickWithinMs, async (givenUp) => {
          await alerts.evaluateClock(givenUp);
          // One that was given up says nothing about now.
          givenUp.throwIfAborted();
          alertPath.ticked();
          metrics.ticks.inc();
        }),
    },
    {
      name: 'late samples',
      everyMs: 5 * secondMs,
      failed: 'evaluating what came late failed; it is tried again',
      run: () => alerts.evaluateRetrospective(),
    },
    {
      name: 'corrections',
      everyMs: secondMs,
      failed: 'values of a sender may be under a wrong patient or of a wrong kind; correcting them is tried again',
      run: (signal) => server.hl7Replay.withdraw(signal),
    },
    {
      name: 'earlier values',
      everyMs: 10 * secondMs,
      failed: 'kept messages of senders cannot be read again; it is tried again in ten seconds',
      run: (signal) => server.hl7Replay.takeAgain(signal),
    },
    {
      name: 'disk',
      everyMs: 10 * secondMs,
      atStart: true,
      failed: 'looking at the disk with the data failed; it is tried again in ten seconds',
      run: () => disk.look(),
    },
    {
      name: 'heartbeat',
      everyMs: 30 * secondMs,
      firstAfterMs: firstBeatAfterMs,
      failed: 'the heartbeat was not heard: alerts may not come',
      run: async () => {
        try {
          const { tookMs, isComplete } = await untilHung(beatWithinMs, beat);
          metrics.heartbeat.set(tookMs / 1_000);
          if (isComplete) {
            alertPath.beat();
            metrics.heartbeats.inc();
            metrics.heartbeatAt.set(now() / 1_000);
          }
        } catch (error) {
          metrics.heartbeat.set(NaN);
          throw error;
        }
      },
    },
    {
      name: 'backup',
      everyMs: 30 * minuteMs,
      failed: 'asking for the backup failed; it is tried again in half an hour',
      run: () => backups.tick(),
    },
    {
      name: 'retention',
      // Not at start: a wrong clock can be seen and mended within the first hour.
      everyMs: hourMs,
      failed: 'deleting old samples failed; it is tried again in an hour',
      run: async (signal) => {
        const by = await clockWatch.deletionTime();
        if (by !== null) {
          await applyRetention(unhurried(store), {
            rolledUpTo: rollups.rolledUpTo(),
            now: by,
            rawDays: env.rawDays,
            log,
            signal,
          });
          await deleteAnswers(unhurried(store).db, by, signal);
        }
      },
    },
    {
      name: 'raw messages',
      // Apart from the store, which may be full. Not at start, as above.
      everyMs: hourMs,
      failed: 'deleting old HL7 messages failed; it is tried again in an hour',
      run: async (signal) => {
        const by = await clockWatch.deletionTime();
        if (by !== null) {
          await rawMessages.deleteOld(by, signal);
        }
      },
    },
    {
      // Logs are kept elsewhere than the data: an attacker who rewrites the audit would have to rewrite them too.
      name: 'audit head',
      everyMs: hourMs,
      atStart: true,
      failed: 'the head of the audit could not be read and signed; it is tried again in an hour',
      run: async () => {
        // Here and not at the start: a key that cannot be read is no reason to leave a ward without screens.
        const [head, auditKey] = [await readHead(store.db), headKey(env.dataDir)];
        log.info({ ...head, signature: signHead(auditKey, head), key: publicHalf(auditKey) }, 'audit head');
      },
    },
  ];
}

/**
 * Creates a runner of jobs at their intervals. A failure is logged, and that the job works again; one that goes on is
 * logged once a minute, because a full disk must not be filled by it. The job and all others go on.
 */
export function createJobs(jobs: readonly Job[], log: Logger): Jobs {
  const running = new Map<Job, Promise<void>>();
  const timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  /** How often each job has failed since it last worked. */
  const failures = new Map<Job, number>();

  const run = async (job: Job): Promise<void> => {
    const before = failures.get(job) ?? 0;
    try {
      await job.run(stopping.signal);
      failures.delete(job);
      if (before > 0) {
        log.info({ job: job.name, failures: before }, 'the job works again');
      }
    } catch (error) {
      failures.set(job, before + 1);
      if (before % Math.ceil(minuteMs / job.everyMs) === 0) {
        const code = error instanceof Error ? error.name : 'unknown';
        log.error({ job: job.name, code, failures: before + 1 }, job.failed);
      }
    }
  };
  const runUnlessRunning = (job: Job): void => {
    if (running.has(job)) {
      return;
    }
    running.set(
      job,
      run(job).finally(() => running.delete(job)),
    );
  };

  const repeat = (job: Job, isDue = job.atStart === true): void => {
    timers.push(setInterval(runUnlessRunning, job.everyMs, job));
    if (isDue) {
      runUnlessRunning(job);
    }
  };

  return {
    start: () => {
      if (stopping.signal.aborted) {
        return;
      }
      for (const job of jobs) {
        if (job.firstAfterMs === undefined) {
          repeat(job);
        } else {
          timers.push(setTimeout(repeat, job.firstAfterMs, job, true));
        }
      }
    },
    stop: async () => {
      timers.forEach(clearInterval);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
