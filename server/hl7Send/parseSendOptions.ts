import { readArgs } from '../cli/readArgs';
import { UsageError } from '../cli/UsageError';

/** The options of `npm run hl7:send`. */
export interface SendOptions {
  path: string;
  host: string;
  port: number;
  /** Paths of PEM files; null: no TLS. */
  tls: { ca: string; cert: string | null; key: string | null } | null;
  /** Infinity waits for answers only. */
  speed: number;
  isShifted: boolean;
  timeZone: string;
  /** The most bytes of a packet; null: as the system likes. */
  splitBytes: number | null;
  /** How often each message is sent again. */
  repeats: number;
  /** Each n-th message is preceded by a broken frame; null: none. */
  breakEvery: number | null;
}

const options = {
  to: { type: 'string', default: '127.0.0.1:2575' },
  'tls-ca': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  speed: { type: 'string', default: '1' },
  now: { type: 'boolean' },
  zone: { type: 'string' },
  split: { type: 'string' },
  repeat: { type: 'string' },
  break: { type: 'string' },
} as const;

/** Returns the options of the words after the command. `ownZone` is this machine's. Throws UsageError. */
export function parseSendOptions(args: readonly string[], ownZone: string): SendOptions {
  const { values, positionals } = readArgs(args, options, { takesWords: true });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    throw new UsageError('Name one file to send');
  }
  const [ca, cert, key] = [values['tls-ca'], values['tls-cert'], values['tls-key']];
  if ((cert === undefined) !== (key === undefined) || (cert !== undefined && ca === undefined)) {
    throw new UsageError('Give --tls-cert and --tls-key together, and with --tls-ca');
  }
  const speed = values.speed === 'max' ? Infinity : Number(values.speed);
  if (!(speed > 0)) {
    throw new UsageError(`--speed ${values.speed}: expected a number above 0, such as 60, or max`);
  }
  return {
    path,
    ...readAddress(values.to),
    tls: ca === undefined ? null : { ca, cert: cert ?? null, key: key ?? null },
    speed,
    isShifted: values.now === true,
    timeZone: readZone(values.zone ?? ownZone),
    splitBytes: readCount('--split', values.split),
    repeats: readCount('--repeat', values.repeat) ?? 0,
    breakEvery: readCount('--break', values.break),
  };
}

function readAddress(text: string): { host: string; port: number } {
  const match = /^(.+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port < 1 || port > 65_535) {
    throw new UsageError(`--to ${text}: expected host:port, such as 127.0.0.1:2575`);
  }
  return { host: (match[1] ?? '').replace(/^\[(.*)\]$/, '$1'), port };
}

function readZone(text: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    throw new UsageError(`--zone ${text}: expected the name of a time zone, such as Europe/Berlin`);
  }
}

function readCount(name: string, text: string | undefined): number | null {
  if (text !== undefined && !/^[1-9]\d{0,6}$/.test(text)) {
    throw new UsageError(`${name} ${text}: expected a whole number above 0`);
  }
  return text === undefined ? null : Number(text);
}
