/** How long short pieces of work may take in a row before everybody else has the thread, in milliseconds. */
const inARowMs = 5;

export interface BodyTurns {
  /** Runs a piece of work when its device's turn has come, and resolves with its result. */
  <T>(of: { deviceId: number; isLong: boolean }, work: () => T): Promise<T>;
}

type Work = () => void;
/** What waits of each device; the device whose turn is the next one is the first. */
type Lane = Map<number, Work[]>;

/**
 * Creates a function that takes turns: of each device one piece of work after another, devices in rotation, short ones
 * for 5 ms and one long one before everybody else has the thread (`letOthers`). Bodies that arrive together would
 * otherwise be parsed in one go, and nothing else would be answered meanwhile.
 */
export function createBodyTurns(
  letOthers: () => Promise<unknown>,
  elapsed: () => number = () => performance.now(),
): BodyTurns {
  const lanes: { short: Lane; long: Lane } = { short: new Map(), long: new Map() };
  let isRunning = false;

  const run = async (): Promise<void> => {
    isRunning = true;
    while (lanes.short.size + lanes.long.size > 0) {
      await letOthers();
      const begun = elapsed();
      while (lanes.short.size > 0 && elapsed() - begun < inARowMs) {
        next(lanes.short)?.();
        // What follows the parsing belongs to the piece.
        await Promise.resolve();
      }
      next(lanes.long)?.();
    }
    isRunning = false;
  };

  return ({ deviceId, isLong }, work) =>
    new Promise((resolve, reject) => {
      const lane = isLong ? lanes.long : lanes.short;
      const piece = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error('A piece of work failed', { cause: error }));
        }
      };
      lane.set(deviceId, [...(lane.get(deviceId) ?? []), piece]);
      if (!isRunning) {
        void run();
      }
    });
}

/** Removes and returns the next piece of work, and puts its device behind the others. */
function next(lane: Lane): Work | undefined {
  const [first] = lane;
  if (first === undefined) {
    return undefined;
  }
  const [deviceId, [work, ...rest]] = first;
  lane.delete(deviceId);
  if (rest.length > 0) {
    lane.set(deviceId, rest);
  }
  return work;
}
