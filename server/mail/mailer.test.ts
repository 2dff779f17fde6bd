import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { startSmtpServer, type SmtpServer } from '../../test/smtpServer';
import { invitationMail } from './accountMails';
import { createMailer, sendInTime, type Mailer } from './mailer';

describe('a mail', () => {
  let dataDir: string;
  let smtp: SmtpServer | null = null;
  let logged: string[];
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'wardlight-mail-'));
    logged = [];
  });
  afterEach(async () => {
    await smtp?.stop();
    smtp = null;
    await rm(dataDir, { recursive: true, force: true });
  });

  const mail = invitationMail('robin@example.org', 'Maple ward', 'https://ward.example/sign_up#invitation=aB-c_1');
  const outbox = (): string => path.join(dataDir, 'outbox');
  const kept = () => readdir(outbox());
  const mailerFor = (smtpUrl: string | null): Mailer => {
    const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
    return createMailer({ dataDir, smtpUrl, mailFrom: 'ward@ward.example' }, log, () =>
      Date.UTC(2026, 4, 1, 10, 0, 0, 7),
    );
  };

  it('that the server refuses stays in the outbox, and the log names no one', async () => {
    smtp = await startSmtpServer('refuses');
    await expect(mailerFor(smtp.url).send(mail)).resolves.toBe(false);
    await expect(kept()).resolves.toHaveLength(1);
    expect(logged.join()).toContain('it stays in the outbox');
    expect(logged.join()).not.toMatch(/robin|aB-c_1|Maple/);
  });

  it('stays in the outbox when no server listens', async () => {
    const closed = await startSmtpServer('takes');
    await closed.stop();
    await expect(mailerFor(closed.url).send(mail)).resolves.toBe(false);
    await expect(kept()).resolves.toHaveLength(1);
  });

  it('is not waited for longer than an administrator waits', async () => {
    smtp = await startSmtpServer('hangs');
    const mailer = mailerFor(smtp.url);
    await expect(sendInTime(mailer, mail)).resolves.toBe(false);
    await expect(kept()).resolves.toHaveLength(1);
    await smtp.stop();
    await mailer.idle();
  });

  it('neither fails nor is taken for sent where the outbox cannot be written', async () => {
    await writeFile(outbox(), 'in the way');
    await expect(mailerFor(null).send(mail)).resolves.toBe(false);
    expect(logged.join()).toContain('could not be kept');
  });

  it('is a file that only its owner reads, where no server is configured', async () => {
    await expect(mailerFor(null).send(mail)).resolves.toBe(false);
    const [name = ''] = await kept();
    expect(name).toMatch(/^20260501T100000007Z-[0-9a-f]{8}-invitation\.eml$/);
    const file = path.join(outbox(), name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(outbox())).mode & 0o777).toBe(0o700);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^From: ward@ward\.example\r$/m);
    expect(text).toMatch(/^To: robin@example\.org\r$/m);
    expect(text).toMatch(/^Subject: Your invitation to Maple ward\r$/m);
    expect(text.replace(/=\r\n/g, '').replace(/=3D/g, '=')).toContain(
      'https://ward.example/sign_up#invitation=aB-c_1\r\n',
    );
    expect(logged).toEqual([]);
  });

  it('that is only pretended leaves nothing, and reaches no server', async () => {
    smtp = await startSmtpServer('takes');
    const mailer = mailerFor(smtp.url);
    await mailer.pretend(mail);
    await expect(kept()).resolves.toEqual([]);
    expect([smtp.taken, logged]).toEqual([[], []]);
  });

  it('leaves the outbox after a week, and takes nothing along that is not a mail', async () => {
    let time = Date.UTC(2026, 4, 1, 10);
    const mailer = createMailer(
      { dataDir, smtpUrl: null, mailFrom: 'ward@ward.example' },
      pino({ level: 'silent' }),
      () => time,
    );
    await mailer.send(mail);
    await writeFile(path.join(outbox(), '00000000-note.txt'), 'kept by hand');
    time += 7 * 86_400_000;
    await mailer.send(mail);
    await expect(kept()).resolves.toHaveLength(3);
    time += 1;
    await mailer.send(mail);
    const names = await kept();
    expect(names).toHaveLength(3);
    expect(names).toContain('00000000-note.txt');
    expect(names.some((name) => name.startsWith('20260501'))).toBe(false);
  });

  it('that the server took leaves no secret on the disk', async () => {
    smtp = await startSmtpServer('takes');
    await expect(sendInTime(mailerFor(smtp.url), mail)).resolves.toBe(true);
    expect(smtp.taken).toEqual([
      { to: 'robin@example.org', message: expect.stringContaining('Subject: Your invitation') as unknown },
    ]);
    await expect(kept()).resolves.toEqual([]);
  });
});
