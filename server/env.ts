import path from 'node:path';
import { z } from 'zod';
import { isTimeZone, newPassword } from '../lib/session/schema';
import { userTypes } from '../lib/session/userTypes';
import { isRange } from './http/addressRange';
import type { ConnectionShares } from './http/connectionShares';
import { parseDsn } from './monitoring/dsn';

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/**
 * Returns how many connections an address may have as `CONNECTIONS_PER_ADDRESS` says it: a number for every address,
 * then, with commas between, ranges with theirs. Null if it is not of this form.
 */
function parseShares(text: string): ConnectionShares | null {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const ranges = others.map((part) => {
    const [range = '', most = '', ...more] = part.split('=');
    return isRange(range) && more.length === 0 ? { range, most: numberOf(most) } : { range, most: null };
  });
  const most = numberOf(first);
  const known = ranges.flatMap((one) => (one.most === null ? [] : [{ range: one.range, most: one.most }]));
  return most === null || known.length < ranges.length ? null : { most, ranges: known };
}

const numberOf = (text: string): number | null => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : null);

const variables = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  BACKUP_KEY_FILE: z.string().min(1).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional(),
  ALLOW_HTTP: flag.default(false),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every(isRange), 'must be addresses or networks such as 10.0.0.0/8, with commas between'),
  CONNECTIONS_PER_ADDRESS: z
    .string()
    .default('256')
    .transform((text, context) => {
      const shares = parseShares(text);
      if (shares === null) {
        context.addIssue('must be a number, then ranges with theirs, such as 256,10.1.2.0/24=600');
        return z.NEVER;
      }
      return shares;
    }),
  SITE_NAME: z.string().trim().min(1).max(100).default('My ward'),
  SITE_TIME_ZONE: z.string().refine(isTimeZone, 'is not an IANA time zone such as Europe/London').default('UTC'),
  RAW_DAYS: wholeNumber(1, 3_650).default(15),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w-]{20,200}$/, 'is not a token of at least 20 letters and digits')
    .optional(),
  SESSION_CALLS_PER_MINUTE: wholeNumber(600, 1_000_000_000).default(6_000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.email().optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: newPassword.optional(),
  ADMIN_TYPE: z.enum(userTypes).default('administrator'),
  SENTRY_DSN: z
    .string()
    .refine((text) => parseDsn(text) !== null, 'is not a DSN such as https://key@reports.example/7')
    .optional(),
  STREAM_API_KEY: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'is not a key of letters and digits')
    .optional(),
  STREAM_API_SECRET: z.string().min(20, 'is shorter than a secret of the chat service').max(200).optional(),
  HL7_PORT: wholeNumber(0, 65_535).optional(),
  HL7_HOST: z.string().min(1).default('127.0.0.1'),
  HL7_ALLOW_PLAIN: flag.default(false),
  HL7_TLS_CERT: z.string().min(1).optional(),
  HL7_TLS_KEY: z.string().min(1).optional(),
  HL7_TLS_CA: z.string().min(1).optional(),
  HL7_RAW_KEY_FILE: z.string().min(1).optional(),
  HL7_RAW_MB: wholeNumber(64, 1_000_000).default(2_048),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
});

/** Where HL7 gateways connect. */
export interface Hl7Env {
  port: number;
  host: string;
  /** Files; null: what they send is not encrypted. `caFile`: gateways have a certificate that this one has signed. */
  tls: { certFile: string; keyFile: string; caFile: string | null } | null;
  /** It is not encrypted and others than this machine can connect: `HL7_ALLOW_PLAIN`. */
  isExposed: boolean;
}

export type Env = ReturnType<typeof envOf>;

/**
 * Returns the configuration that the process's environment describes, or all its faults, one sentence each. An empty
 * variable counts as unset. A fault never repeats a value, because it may be a password.
 */
export function parseEnv(source: Record<string, string | undefined>): { env: Env } | { faults: string[] } {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = variables.safeParse(set);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if ((set.ADMIN_EMAIL === undefined) !== (set.ADMIN_PASSWORD === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  }
  if ((set.STREAM_API_KEY === undefined) !== (set.STREAM_API_SECRET === undefined)) {
    faults.push('STREAM_API_KEY and STREAM_API_SECRET must be set together');
  }
  if (set.SMTP_URL !== undefined && set.PUBLIC_URL === undefined) {
    faults.push('SMTP_URL needs PUBLIC_URL, which the links in its mails begin with');
  }
  if (parsed.success && parsed.data.ALLOW_HTTP && parsed.data.PUBLIC_URL?.startsWith('https:') === true) {
    faults.push('ALLOW_HTTP=true contradicts PUBLIC_URL, with which only HTTPS is answered: unset one of them');
  }
  if (parsed.success && set.HL7_RAW_KEY_FILE !== undefined && isIn(parsed.data.DATA_DIR, set.HL7_RAW_KEY_FILE)) {
    faults.push('HL7_RAW_KEY_FILE must not be in DATA_DIR: who has a copy of that folder would have the key too');
  }
  const hl7 = parsed.success ? hl7Of(parsed.data, faults) : null;
  if (!parsed.success || faults.length > 0) {
    return { faults };
  }
  return { env: envOf(parsed.data, hl7) };
}

/** Returns the configuration that the variables describe. */
const envOf = (known: z.output<typeof variables>, hl7: Hl7Env | null) => ({
  port: known.PORT,
  host: known.HOST,
  dataDir: known.DATA_DIR,
  databaseUrl: known.DATABASE_URL ?? null,
  /** The file of the key of backups; null: they are not encrypted. */
  backupKeyFile: known.BACKUP_KEY_FILE ?? null,
  allowHttp: known.ALLOW_HTTP,
  trustedProxies: known.TRUSTED_PROXIES,
  connectionsPerAddress: known.CONNECTIONS_PER_ADDRESS,
  siteName: known.SITE_NAME,
  siteTimeZone: known.SITE_TIME_ZONE,
  rawDays: known.RAW_DAYS,
  /** With it `/metrics` is answered to other machines too; null: to this one alone. */
  metricsToken: known.METRICS_TOKEN ?? null,
  /** The most calls that one session makes in a minute. */
  sessionCallsPerMinute: known.SESSION_CALLS_PER_MINUTE,
  publicUrl: known.PUBLIC_URL === undefined ? null : new URL(known.PUBLIC_URL).origin,
  /** Null: mails are only written to `DATA_DIR/outbox`. */
  smtpUrl: known.SMTP_URL ?? null,
  mailFrom:
    known.MAIL_FROM ?? `wardlight@${known.PUBLIC_URL === undefined ? 'localhost' : new URL(known.PUBLIC_URL).hostname}`,
  firstAdmin:
    known.ADMIN_EMAIL === undefined || known.ADMIN_PASSWORD === undefined
      ? null
      : { email: known.ADMIN_EMAIL.toLowerCase(), password: known.ADMIN_PASSWORD, type: known.ADMIN_TYPE },
  /** The receiver of error reports; null: they are stored here. */
  sentryDsn: known.SENTRY_DSN === undefined ? null : parseDsn(known.SENTRY_DSN),
  /** The account with the hosted chat service; null: no chat. */
  stream:
    known.STREAM_API_KEY === undefined || known.STREAM_API_SECRET === undefined
      ? null
      : { key: known.STREAM_API_KEY, secret: known.STREAM_API_SECRET },
  /** Null: no gateway can connect. */
  hl7,
  /** How HL7 messages are kept: under the key in a file (null: one that the server makes), and in how many bytes. */
  hl7Raw: { keyFile: known.HL7_RAW_KEY_FILE ?? null, mostBytes: known.HL7_RAW_MB * 1_048_576 },
  logLevel: known.LOG_LEVEL,
  dev: known.NODE_ENV === 'development',
});

/** Returns whether a file is somewhere in a folder. */
function isIn(folder: string, file: string): boolean {
  return path.resolve(file).startsWith(path.resolve(folder) + path.sep);
}

/** Names that reach this machine alone. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);

/** Returns where HL7 gateways connect, and adds what is wrong with it to `faults`. */
function hl7Of(
  { HL7_PORT, HL7_HOST, HL7_ALLOW_PLAIN, HL7_TLS_CERT, HL7_TLS_KEY, HL7_TLS_CA }: z.output<typeof variables>,
  faults: string[],
): Hl7Env | null {
  if (HL7_PORT === undefined) {
    return null;
  }
  if ((HL7_TLS_CERT === undefined) !== (HL7_TLS_KEY === undefined)) {
    faults.push('HL7_TLS_CERT and HL7_TLS_KEY must be set together');
  }
  if (HL7_TLS_CA !== undefined && HL7_TLS_CERT === undefined) {
    faults.push('HL7_TLS_CA needs HL7_TLS_CERT and HL7_TLS_KEY');
  }
  const tls =
    HL7_TLS_CERT === undefined || HL7_TLS_KEY === undefined
      ? null
      : { certFile: HL7_TLS_CERT, keyFile: HL7_TLS_KEY, caFile: HL7_TLS_CA ?? null };
  const isExposed = tls === null && !isLoopback(HL7_HOST);
  if (isExposed && !HL7_ALLOW_PLAIN) {
    faults.push(
      'HL7_HOST lets other machines send patient data that are not encrypted: set HL7_TLS_CERT and HL7_TLS_KEY, or ' +
        'HL7_ALLOW_PLAIN=true if the network is for these devices alone',
    );
  }
  return { port: HL7_PORT, host: HL7_HOST, tls, isExposed };
}
