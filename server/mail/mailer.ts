import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Env } from '../env';

export interface Mail {
  kind: 'invitation' | 'reset' | 'password-changed' | 'account-exists' | 'approved' | 'emergency-access';
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /**
   * Keeps a mail as a file in the outbox and, where `SMTP_URL` is set, sends it; the file goes away once a server has
   * taken it, because it may hold a secret. Says whether one has. What lies there for a week is taken away. Never
   * rejects: what could not be sent stays in the outbox and is logged.
   */
  send(mail: Mail): Promise<boolean>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** With an SMTP server that hangs, later mails go to the outbox alone. */
const mostUnderWay = 50;

/** How long the outbox keeps a mail, in milliseconds: no link in one works longer than 72 h. */
const keptMs = 7 * 86_400_000;

/** For SMTP servers that do not answer, in milliseconds. */
const timeouts = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Takes where mails go from the configuration and returns the door for them. `now` gives epoch milliseconds. */
export function createMailer(
  env: Pick<Env, 'dataDir' | 'smtpUrl' | 'mailFrom'>,
  log: Logger,
  now: () => number,
): Mailer {
  const outbox = path.join(env.dataDir, 'outbox');
  const smtp = env.smtpUrl === null ? null : createTransport({ url: env.smtpUrl, ...timeouts });
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const underWay = new Set<Promise<boolean>>();

  const complain = (kind: Mail['kind'], what: string, error: unknown): void => {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
    log.warn({ kind, code }, what);
  };

  /** Takes away what nobody has fetched for a week: it holds addresses and links that work no more. */
  const sweep = async (): Promise<void> => {
    const oldest = fileTime(now() - keptMs);
    const old = (await readdir(outbox)).filter((name) => /^\d{8}T\d{9}Z-.*\.eml$/.test(name) && name < oldest);
    await Promise.all(old.map((name) => rm(path.join(outbox, name), { force: true })));
  };

  const deliver = async ({ kind, to, subject, text }: Mail): Promise<boolean> => {
    const isCrowded = underWay.size >= mostUnderWay;
    const file = path.join(outbox, `${fileTime(now())}-${randomBytes(4).toString('hex')}-${kind}.eml`);
    const envelope = { from: env.mailFrom, to };
    let raw: Buffer;
    try {
      const composed = await composer.sendMail({
        ...envelope,
        subject,
        text,
        date: new Date(now()),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      raw = Buffer.isBuffer(composed.message) ? composed.message : Buffer.alloc(0);
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      await sweep();
      await writeFile(file, raw, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      complain(kind, 'a mail could not be kept in the outbox', error);
      return false;
    }
    if (smtp === null || isCrowded) {
      return false;
    }
    try {
      await smtp.sendMail({ envelope, raw });
    } catch (error) {
      complain(kind, 'a mail could not be sent; it stays in the outbox', error);
      return false;
    }
    await rm(file, { force: true }).catch((error: unknown) => {
      complain(kind, 'a mail that was sent could not be removed from the outbox', error);
    });
    return true;
  };

  return {
    send: (mail) => {
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
      return delivery;
    },
    idle: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay);
      }
    },
  };
}

/** An instant as it begins the name of a file: in the order of the instants. */
const fileTime = (time: number): string => new Date(time).toISOString().replace(/[-:.]/g, '');

/** Longer than this an administrator does not wait to hear whether a mail was sent, in milliseconds. */
const patienceMs = 3_000;

/** Sends a mail and says whether a server took it in time; it may still do so afterwards. */
export async function sendInTime(mailer: Mailer, mail: Mail): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, patienceMs);
  });
  try {
    return await Promise.race([mailer.send(mail), late]);
  } finally {
    clearTimeout(timer);
  }
}
