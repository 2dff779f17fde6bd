import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestServer } from './testServer';

export interface KeptMail {
  kind: string;
  to: string;
  subject: string;
  /** The whole file, without the line breaks of its encoding. */
  text: string;
  /** The secret of the link in it; null without one. */
  secret: string | null;
}

/** Waits until no mail is under way and reads the mails in the server's outbox, oldest first. */
export async function readOutbox({ server }: TestServer): Promise<KeptMail[]> {
  await server.afterReply.idle();
  await server.mailer.idle();
  const folder = path.join(server.env.dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(
    names.sort().map(async (name) => {
      const text = (await readFile(path.join(folder, name), 'utf8')).replace(/=\r\n/g, '').replace(/=3D/g, '=');
      return {
        kind: /^\d{8}T\d{9}Z-[0-9a-f]{8}-([\w-]+)\.eml$/.exec(name)?.[1] ?? name,
        to: /^To: (.*)\r$/m.exec(text)?.[1] ?? '',
        subject: /^Subject: (.*)\r$/m.exec(text)?.[1] ?? '',
        text,
        secret: /#(?:token|invitation)=([\w-]+)/.exec(text)?.[1] ?? null,
      };
    }),
  );
}
