interface Line {
  name: string;
  ours: string;
  against: string;
  ratio: number;
  wanted: string;
  reached: boolean;
}

// The measurements so far.
const lines: Line[] = [];

function say(line: Line): void {
  lines.push(line);
  const { reached, ratio, wanted, name, ours, against } = line;
  process.stdout.write(
    `${reached ? 'reached' : 'MISSED '}  ${ratio.toFixed(2)} (${wanted})  ${name}: ${ours}, ${against}\n`,
  );
}

/** Prints a table. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  process.stdout.write(`\n${lines.join('')}`);
}

/** Returns whether every measurement so far reached its goal. */
export function allReached(): boolean {
  return lines.every(({ reached }) => reached);
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Returns what 99 of 100 values do not exceed. */
export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}

/** Measures ours against theirs, in turns: at least `least` times as much. */
export function compare(
  name: string,
  ours: number[],
  theirs: number[],
  unit: string,
  peer: string,
  least: number,
): void {
  const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
  say({
    name,
    ours: `${Math.round(median(ours)).toLocaleString('en')} ${unit}`,
    against: `${peer} ${Math.round(median(theirs)).toLocaleString('en')} ${unit}`,
    ratio,
    wanted: `>= ${least}`,
    reached: ratio >= least,
  });
}

/** Measures that the greatest of the values is at most the limit. */
export function atMost(name: string, values: number[], limit: number, unit: string): void {
  const value = Math.max(...values);
  say({
    name,
    ours: `${value.toFixed(1)} ${unit}`,
    against: `limit ${limit} ${unit}`,
    ratio: limit === 0 ? value : value / limit,
    wanted: '<= 1',
    reached: value <= limit,
  });
}

/** Measures that a score is at least the limit. */
export function atLeast(name: string, value: number, limit: number): void {
  say({
    name,
    ours: value.toFixed(0),
    against: `limit ${limit}`,
    ratio: value / limit,
    wanted: '>= 1',
    reached: value >= limit,
  });
}
