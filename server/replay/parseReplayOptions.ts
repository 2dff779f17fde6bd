import { basename, extname } from 'node:path';
import { isVitalKind, type VitalKind } from '../../lib/vitals/kinds';
import { parseInstant } from '../../lib/time/parseInstant';
import { readArgs } from '../cli/readArgs';
import { UsageError } from '../cli/UsageError';
import type { Anchor } from './feed';
import { plain, type GivenColumns } from './readColumns';
import type { PressureSource } from './recording';
import type { Target } from './sendSamples';

/** The options of the command. */
export interface ReplayOptions {
  files: { path: string; mrn: string }[];
  /** Null: only look at the files (--check). */
  target: Target | null;
  pressure: PressureSource | undefined;
  columns: GivenColumns | undefined;
  anchor: Anchor;
  speed: number;
  loop: boolean;
  window: { fromMs: number; forMs: number };
}

const options = {
  check: { type: 'boolean' },
  url: { type: 'string', default: 'http://127.0.0.1:3000' },
  token: { type: 'string' },
  mrn: { type: 'string', multiple: true },
  'mrn-from-file': { type: 'boolean' },
  pressure: { type: 'string' },
  column: { type: 'string', multiple: true },
  speed: { type: 'string', default: '1' },
  start: { type: 'string' },
  end: { type: 'string' },
  from: { type: 'string', default: '0s' },
  for: { type: 'string' },
  loop: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArgs<typeof options>>['values'];

/**
 * Returns the options of the words after the command. `environment` is for WARDLIGHT_DEVICE_TOKEN. Throws UsageError.
 */
export function parseReplayOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
): ReplayOptions {
  const { values, positionals } = readArgs(args, options, { takesWords: true });
  const check = values.check === true;
  const { anchor, speed } = readTiming(values, now);
  return {
    files: readFiles(values, positionals, check),
    target: check
      ? null
      : { url: readUrl(values.url), token: readToken(values.token ?? environment.WARDLIGHT_DEVICE_TOKEN) },
    pressure: readPressure(values.pressure),
    columns: values.column === undefined ? undefined : new Map(values.column.map(readColumn)),
    anchor,
    speed,
    loop: values.loop === true,
    window: {
      fromMs: readDuration('--from', values.from),
      forMs: values.for === undefined ? Infinity : readDuration('--for', values.for),
    },
  };
}

function readFiles(values: Values, paths: readonly string[], check: boolean): ReplayOptions['files'] {
  const mrns = values.mrn ?? [];
  if (paths.length === 0) {
    throw new UsageError('Name at least one recording to play');
  }
  if (values['mrn-from-file'] === true && mrns.length > 0) {
    throw new UsageError('Give either --mrn or --mrn-from-file');
  }
  if (values['mrn-from-file'] !== true && mrns.length !== paths.length && !(check && mrns.length === 0)) {
    throw new UsageError(
      `There are ${paths.length} recordings and ${mrns.length} MRNs: ` +
        'give --mrn once for each, in the same order, or --mrn-from-file',
    );
  }
  const files = paths.map((path, index) => ({ path, mrn: mrns[index] ?? basename(path, extname(path)) }));
  const twice = files.find(({ mrn }, index) => files.findIndex((other) => other.mrn === mrn) !== index);
  if (twice !== undefined) {
    throw new UsageError(`Two recordings would be played to the MRN "${twice.mrn}" at once`);
  }
  return files;
}

/**
 * Returns when to play: live from now at --speed, unless --start or --end is given. Speed max is a history until now.
 */
function readTiming(values: Values, now: number): { anchor: Anchor; speed: number } {
  if (values.start !== undefined && values.end !== undefined) {
    throw new UsageError('Give either --start or --end');
  }
  if (values.loop === true && (values.end !== undefined || values.speed === 'max')) {
    throw new UsageError('A loop has no end: --loop goes with --start and a number as --speed');
  }
  const max = values.speed === 'max';
  if (max && values.start !== undefined) {
    throw new UsageError(
      '--speed max sends the whole recording at once as a history: it goes with --end, not with --start',
    );
  }
  const speed = max ? 1 : Number(values.speed);
  if (!(speed > 0) || !Number.isFinite(speed)) {
    throw new UsageError(`--speed ${values.speed}: expected a number above 0, such as 60, or max`);
  }
  if (values.end !== undefined || max) {
    return { anchor: { at: 'end', wallMs: readMoment('--end', values.end ?? 'now', now) }, speed };
  }
  return { anchor: { at: 'start', wallMs: readMoment('--start', values.start ?? 'now', now) }, speed };
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Takes "90s", "8m", "2h" or "1d" and returns milliseconds, or null when the text is none of these. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = match?.[2];
  return unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? Number(match?.[1]) * units[unit] : null;
}

function readMoment(name: string, text: string, now: number): number {
  const ago = text === 'now' ? 0 : text.startsWith('now-') ? parseDuration(text.slice('now-'.length)) : null;
  const moment = ago === null ? parseInstant(text) : now - ago;
  if (moment === null) {
    throw new UsageError(`${name} ${text}: expected now, now-6m, or an instant such as 2026-05-01T10:00:00Z`);
  }
  return moment;
}

function readDuration(name: string, text: string): number {
  const duration = parseDuration(text);
  if (duration === null) {
    throw new UsageError(`${name} ${text}: expected a duration such as 90s, 8m, 2h or 1d`);
  }
  return duration;
}

/** Takes "spo2=Oxygen level". */
function readColumn(text: string): [string, VitalKind | 'time'] {
  const [, use = '', name = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (use !== 'time' && (!isVitalKind(use) || use === 'consciousness')) {
    throw new UsageError(`--column ${text}: expected time or a vital sign, such as spo2="Oxygen level"`);
  }
  return [plain(name), use];
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UsageError(`--url ${text}: expected the server's address, such as http://127.0.0.1:3000`);
  }
  return url;
}

function readToken(text: string | undefined): string {
  if (text === undefined || text === '') {
    throw new UsageError(
      'No device token: set WARDLIGHT_DEVICE_TOKEN to what `npm run device:add` printed, or give --token',
    );
  }
  // The message does not repeat the text, which may be a secret with a line break.
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError('The device token holds a character that no token has');
  }
  return text;
}

function readPressure(text: string | undefined): PressureSource | undefined {
  if (text !== undefined && text !== 'cuff' && text !== 'invasive') {
    throw new UsageError(`--pressure ${text}: expected one of cuff, invasive`);
  }
  return text;
}
