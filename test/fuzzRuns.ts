const { FUZZ_ROUNDS = '150', FUZZ_SEED } = process.env;

/** How often a property is tried. FUZZ_ROUNDS=100000 for a long run; FUZZ_SEED=1 for one that can be repeated. */
export const fuzzRuns = {
  numRuns: Number(FUZZ_ROUNDS),
  ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
};
