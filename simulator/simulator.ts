import type { EpochMs } from '../lib/time/epochMs';
import { toInstant } from '../lib/time/schema';
import type { Role } from './cast';
import type { DeviceLine } from './callServer';
import { historyBlocks, historyMs, instants, wholeMinutes } from './history';
import { measure, type WireSample } from './measure';

const second = 1_000;
/** How long a gateway keeps what it could not send. What is older (the machine slept) is sent as history. */
const keptMs = 30 * second;
/** The history takes a quarter of the thread: each call is followed by a pause three times as long. */
const restShare = 3;
const longestRestMs = 5 * second;
const againAfterMs = 5 * second;

/** One gateway of the ward: the patients whose values it sends, and its connection. */
export interface SimulatedGateway {
  name: string;
  roles: readonly Role[];
  line: DeviceLine;
  /** Returns the epoch minutes of a window in which the store has samples of this gateway. */
  storedMinutes(from: EpochMs, to: EpochMs): Promise<ReadonlySet<number>>;
}

export interface SimulatorParts {
  gateways: readonly SimulatedGateway[];
  /** When the ward began, a whole minute. */
  startedAt: EpochMs;
  clock: {
    now: () => EpochMs;
    /** Waits for the milliseconds or until the signal aborts. Never keeps the process alive. */
    sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  };
  /** Called once when a gateway's calls begin to fail or to be rejected, with the reason. */
  onTrouble: (gateway: string, reason: string) => void;
}

export interface Simulator {
  /** Resolves when the day before the start is sent, or when the simulator is stopped. */
  historySent: Promise<void>;
  /** Ends all calls. Resolves when none is running. */
  stop(): Promise<void>;
}

/**
 * Starts the gateways. Each sends every second what its devices measure, and beside that the last 24 h from the newest
 * backwards. A failure is reported once and the call repeated. Never rejects.
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
    // Samples that the server has rejected one by one are not sent again.
    return typeof reason === 'string';
  };

  const sendBlock = async (gateway: SimulatedGateway, blocks: Iterator<readonly number[]>): Promise<boolean> => {
    const block = blocks.next();
    if (block.done === true) {
      return false;
    }
    const began = clock.now();
    while (!(await send(gateway, measure(gateway.roles, startedAt, block.value))) && !signal.aborted) {
      await clock.sleep(againAfterMs, signal);
    }
    const took = Math.max(0, clock.now() - began);
    await clock.sleep(Math.min(longestRestMs, took * restShare), signal);
    return true;
  };

  /** Sends the history of several gateways, one block of each in turn. */
  const sendHistories = async (whose: readonly SimulatedGateway[], until: EpochMs): Promise<void> => {
    let open = await Promise.all(
      whose.map(async (gateway) => {
        const stored = await gateway.storedMinutes(until - historyMs, until).catch(() => new Set<number>());
        return { gateway, blocks: historyBlocks(until, wholeMinutes(stored)) };
      }),
    );
    while (open.length > 0 && !signal.aborted) {
      const going: typeof open = [];
      for (const one of open) {
        if (!signal.aborted && (await sendBlock(one.gateway, one.blocks))) {
          going.push(one);
        }
      }
      open = going;
    }
  };

  let histories = Promise.resolve();
  const fillBefore = (whose: readonly SimulatedGateway[], until: EpochMs): void => {
    histories = histories
      .then(() => sendHistories(whose, until))
      .catch((error: unknown) => {
        onTrouble('the history', wordsOf(error));
      });
  };

  const sendLive = async (gateway: SimulatedGateway, from: EpochMs): Promise<void> => {
    let next = from;
    while (!signal.aborted) {
      const now = Math.floor(clock.now() / second) * second;
      const first = Math.max(next, now - keptMs);
      if (
        first <= now &&
        (await send(gateway, measure(gateway.roles, startedAt, instants(first, now + second, second))))
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
    sendLive(gateway, start).catch((error: unknown) => {
      onTrouble(gateway.name, wordsOf(error));
    }),
  );
  fillBefore(gateways, start);

  return {
    historySent: histories,
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
