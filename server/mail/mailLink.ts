import type { FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import { toInstant } from '../../lib/time/schema';
import type { SecretLink } from '../../lib/users/schema';
import { linkOrigin } from '../http/linkOrigin';
import type { Server } from '../server';
import type { Secret } from '../users/commands';
import { invitationMail } from './accountMails';
import { sendInTime, type Mail } from './mailer';

/**
 * Mails a link to `page`, which ends with the name of its secret. Where no mail server is configured it returns it as
 * well, so that the administrator can hand it out: a link that one administrator sees opens an account that is not
 * theirs.
 */
export async function mailLink(
  { env, mailer }: Pick<Server, 'env' | 'mailer'>,
  request: FastifyRequest,
  page: string,
  { secret, expiresAt }: Pick<Secret, 'secret' | 'expiresAt'>,
  mailOf: (link: string) => Mail,
): Promise<SecretLink> {
  const link = `${linkOrigin(request, env)}${page}${secret}`;
  const mailed = await sendInTime(mailer, mailOf(link));
  return { link: env.smtpUrl === null ? link : null, expiresAt: toInstant(expiresAt), mailed };
}

/** Mails an invitation to a site, or returns its link, as `mailLink` does. */
export async function mailInvitation(
  server: Pick<Server, 'env' | 'mailer'>,
  request: FastifyRequest,
  made: Secret,
  siteName: string,
): Promise<SecretLink> {
  return await mailLink(server, request, `${paths.signUp}#invitation=`, made, (link) =>
    invitationMail(made.email, siteName, link),
  );
}
