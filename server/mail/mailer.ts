import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import { untilHung } from '../db/untilHung';
import type { Env } from '../env';

export interface Mail {
  kind: 'invitation' | 'reset' | 'password-changed' | 'account-exists' | 'approved' | 'emergency-access';
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /**
   * Writes a mail to the outbox as a file and, if `SMTP_URL` is set, sends it. Returns whether a server accepted it;
   * the file is then deleted, because it may hold a secret. Files older than a week are deleted too. Never rejects: a
   * mail that could not be sent stays in the outbox, and the failure is logged.
   */
  send(mail: Mail): Promise<boolean>;
  /** Does the work of a mail to the outbox and leaves nothing, so that its time shows nothing. Never rejects. */
  pretend(mail: Mail): Promise<void>;
  /** Resolves when no mail is being sent. */
  idle(): Promise<void>;
}

interface KeptMail {
  file: string;
  envelope: { from: string; to: string };
  raw: Buffer;
}

/** The most mails being sent at once. While an SMTP server hangs, further mails only go to the outbox. */
const maxUnderWay = 50;

/** How long the outbox keeps a mail, in milliseconds: no link in one works longer than 72 h. */
const keptMs = 7 * 86_400_000;

/** Limits for SMTP servers that do not answer, in milliseconds. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Creates the mailer that the configuration describes. */
export function createMailer(
  env: Pick<Env, 'dataDir' | 'smtpUrl' | 'mailFrom'>,
  log: Logger,
  now: () => EpochMs,
): Mailer {
  const outbox = path.join(env.dataDir, 'outbox');
  const smtp = env.smtpUrl === null ? null : createTransport({ url: env.smtpUrl, ...timeouts });
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const underWay = new Set<Promise<boolean>>();

  const complain = (kind: Mail['kind'], what: string, error: unknown): void => {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
    log.warn({ kind, code }, what);
  };

  /** Deletes mails older than a week: they hold addresses, and links that no longer work. */
  const sweep = async (): Promise<void> => {
    const oldest = fileTime(now() - keptMs);
    const old = (await readdir(outbox)).filter((name) => /^\d{8}T\d{9}Z-.*\.eml$/.test(name) && name < oldest);
    await Promise.all(old.map((name) => rm(path.join(outbox, name), { force: true })));
  };

  /** Writes a mail to the outbox. Returns null if that fails. */
  const keep = async ({ kind, to, subject, text }: Mail): Promise<KeptMail | null> => {
    const file = path.join(outbox, `${fileTime(now())}-${randomBytes(4).toString('hex')}-${kind}.eml`);
    const envelope = { from: env.mailFrom, to };
    try {
      const composed = await composer.sendMail({
        ...envelope,
        subject,
        text,
        date: new Date(now()),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const raw = Buffer.isBuffer(composed.message) ? composed.message : Buffer.alloc(0);
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      await sweep();
      await writeFile(file, raw, { mode: 0o600, flag: 'wx' });
      return { file, envelope, raw };
    } catch (error) {
      complain(kind, 'a mail could not be kept in the outbox', error);
      return null;
    }
  };

  const drop = async (kind: Mail['kind'], file: string): Promise<void> => {
    await rm(file, { force: true }).catch((error: unknown) => {
      complain(kind, 'a mail could not be removed from the outbox', error);
    });
  };

  const deliver = async (mail: Mail): Promise<boolean> => {
    const isCrowded = underWay.size >= maxUnderWay;
    const { kind } = mail;
    const kept = await keep(mail);
    if (kept === null || smtp === null || isCrowded) {
      return false;
    }
    const { file, envelope, raw } = kept;
    try {
      await smtp.sendMail({ envelope, raw });
    } catch (error) {
      complain(kind, 'a mail could not be sent; it stays in the outbox', error);
      return false;
    }
    await drop(kind, file);
    return true;
  };

  const track = (work: Promise<boolean>): Promise<boolean> => {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };

  return {
    send: (mail) => track(deliver(mail)),
    pretend: async (mail) => {
      await track(
        keep(mail).then(async (kept) => {
          if (kept !== null) {
            await drop(mail.kind, kept.file);
          }
          return false;
        }),
      );
    },
    idle: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay);
      }
    },
  };
}

/** Returns an instant as the start of a file name, so that names sort by time. */
const fileTime = (time: number): string => new Date(time).toISOString().replace(/[-:.]/g, '');

/** How long an administrator waits to see whether a mail was sent, in milliseconds. */
const patienceMs = 3_000;

/** Sends a mail and returns whether a server accepted it in time. It may still be accepted later. */
export async function sendInTime(mailer: Mailer, mail: Mail): Promise<boolean> {
  return await untilHung(patienceMs, () => mailer.send(mail)).catch(() => false);
}
