import type { EpochMs } from '../lib/time/epochMs';
import { toInstant } from '../lib/time/schema';
import type { Role } from './cast';
import type { DeviceLine } from './callServer';
import { historyBlocks, historyMs, instants, wholeMinutes } from './history';
import { tell, type WireSample } from './tell';

const second = 1_000;
/** What a gateway could not send it keeps this long; what is older (the machine slept) is filled in as history. */
const keptMs = 30 * second;
/** The history takes a quarter of the thread: after each call three times as long for everybody else. */
const restShare = 3;
const longestRestMs = 5 * second;
const againAfterMs = 5 * second;

/** One gateway of the ward: whose values it sends, and over which line. */
export interface SimulatedGateway {
  name: string;
  roles: readonly Role[];
  line: DeviceLine;
  /** The epoch minutes of a window (epoch milliseconds) in which the store has samples of this gateway. */
  storedMinutes(from: number, to: number): Promise<ReadonlySet<number>>;
}

export interface SimulatorParts {
  gateways: readonly SimulatedGateway[];
  /** When the ward began: epoch milliseconds, a whole minute. */
  startedAt: EpochMs;
  clock: {
    now: () => EpochMs;
    /** Resolves after the milliseconds, or at once when the signal aborts; never keeps the process alive. */
    sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  };
  /** Called once when a gateway's calls begin to fail or to be refused, with what is wrong. */
  onTrouble: (gateway: string, reason: string) => void;
}

export interface Simulator {
  /** Resolves when the day before the start is sent, or when the simulator was stopped. */
  historyTold: Promise<void>;
  /** Ends all calls; resolves when none is under way. */
  stop(): Promise<void>;
}

/**
 * Brings the ward to life: each gateway sends every second what its devices measure, and beside it the last 24 h from
 * the newest backwards. Every failure is logged once and tried again; nothing rejects.
 */
export function startSimulator({ gateways, startedAt, clock, onTrouble }: SimulatorParts): Simulator {
  const stopping = new AbortController();
  const { signal } = stopping;
  const troubled = new Set<SimulatedGateway>();

  const send = async (gateway: SimulatedGateway, samples: readonly WireSample[]): Promise<boolean> => {
    if (samples.length === 0) {
      return true;
    }
    const reason = await gateway.line.send(toInstant(clock.now()), samples).then(
      ({ rejected }) => rejected[0]?.code ?? null,
      (error: unknown) => error,
    );
    if (signal.aborted) {
      return false;
    }
    if (reason === null) {
      troubled.delete(gateway);
      return true;
    }
    if (!troubled.has(gateway)) {
      troubled.add(gateway);
      onTrouble(gateway.name, wordsOf(reason));
    }
    // A sample that the server has judged is not sent again.
    return typeof reason === 'string';
  };

  const tellHistory = async (gateway: SimulatedGateway, blocks: Iterator<readonly number[]>): Promise<boolean> => {
    const block = blocks.next();
    if (block.done === true) {
      return false;
    }
    const began = clock.now();
    while (!(await send(gateway, tell(gateway.roles, startedAt, block.value))) && !signal.aborted) {
      await clock.sleep(againAfterMs, signal);
    }
    const took = Math.max(0, clock.now() - began);
    await clock.sleep(Math.min(longestRestMs, took * restShare), signal);
    return true;
  };

  /** The gateways step back in time together. */
  const tellHistories = async (whose: readonly SimulatedGateway[], until: number): Promise<void> => {
    let open = await Promise.all(
      whose.map(async (gateway) => {
        const stored = await gateway.storedMinutes(until - historyMs, until).catch(() => new Set<number>());
        return { gateway, blocks: historyBlocks(until, wholeMinutes(stored)) };
      }),
    );
    while (open.length > 0 && !signal.aborted) {
      const going: typeof open = [];
      for (const one of open) {
        if (!signal.aborted && (await tellHistory(one.gateway, one.blocks))) {
          going.push(one);
        }
      }
      open = going;
    }
  };

  let histories = Promise.resolve();
  const fillBefore = (whose: readonly SimulatedGateway[], until: number): void => {
    histories = histories
      .then(() => tellHistories(whose, until))
      .catch((error: unknown) => {
        onTrouble('the history', wordsOf(error));
      });
  };

  const tellLive = async (gateway: SimulatedGateway, from: number): Promise<void> => {
    let next = from;
    while (!signal.aborted) {
      const now = Math.floor(clock.now() / second) * second;
      const first = Math.max(next, now - keptMs);
      if (
        first <= now &&
        (await send(gateway, tell(gateway.roles, startedAt, instants(first, now + second, second))))
      ) {
        if (next < first) {
          fillBefore([gateway], first);
        }
        next = now + second;
      }
      await clock.sleep(second - (clock.now() % second), signal);
    }
  };

  const start = Math.floor(clock.now() / second) * second;
  const lives = gateways.map((gateway) =>
    tellLive(gateway, start).catch((error: unknown) => {
      onTrouble(gateway.name, wordsOf(error));
    }),
  );
  fillBefore(gateways, start);

  return {
    historyTold: histories,
    stop: async () => {
      stopping.abort();
      await Promise.all([...lives, histories]);
      for (const { line } of gateways) {
        line.close();
      }
    },
  };
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
