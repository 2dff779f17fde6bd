const { FUZZ_SEED } = process.env;
const rounds = roundsFrom('FUZZ_ROUNDS');

/** Returns how many rounds a variable asks for; null: it is not set. Zero rounds, or no number, would pass anything. */
function roundsFrom(name: string): number | null {
  const text = process.env[name];
  if (text !== undefined && !/^[1-9]\d*$/.test(text)) {
    throw new Error(`${name} is ${text}, which is no number of rounds`);
  }
  return text === undefined ? null : Number(text);
}

/** Returns how often a crash test kills its server: `usual`, or what CRASH_ROUNDS says for a longer run. */
export const crashRounds = (usual: number): number => roundsFrom('CRASH_ROUNDS') ?? usual;

/** How often a property is tried. FUZZ_ROUNDS=100000 for a long run; FUZZ_SEED=1 for one that can be repeated. */
export const fuzzRuns = {
  numRuns: rounds ?? 150,
  ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
};

/** For a property that is tried very often: without FUZZ_ROUNDS it ends after 5 s, also if that is before its time. */
export const briefly = rounds === null ? { interruptAfterTimeLimit: 5_000 } : {};

/** Returns how many of all the cases of a proof are tried: 5 % of them or another share, or what FUZZ_ROUNDS says. */
export function roundsOf(all: number, share = 0.05): number {
  return rounds === null ? Math.ceil(all * share) : Math.min(all, rounds);
}

/**
 * Returns which of all the places of a proof are tried: `roundsOf` them, evenly spread. With FUZZ_ROUNDS at 2 % of
 * them the seeds 0 to 49 try each place once, and a FUZZ_ROUNDS of `all` tries all.
 */
export function placesOf(all: number, chosen: number): number[] {
  const step = Math.ceil(all / roundsOf(all, 0.02));
  const from = (fuzzRuns.seed ?? chosen) % step;
  return Array.from({ length: Math.ceil((all - from) / step) }, (_, index) => from + index * step);
}
