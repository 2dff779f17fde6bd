/** Returns how often a crash test kills its server: `usual`, or what `CRASH_ROUNDS` says for a longer run. */
export function crashRounds(usual: number): number {
  const variable = process.env.CRASH_ROUNDS;
  if (variable === undefined || variable === '') {
    return usual;
  }
  const rounds = Number(variable);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`CRASH_ROUNDS is ${variable}, which is no number of kills`);
  }
  return rounds;
}
