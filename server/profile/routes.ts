import type { FastifyRequest } from 'fastify';
import { paths } from '../../lib/paths';
import { maxPictureBytes, pictureTypes, type OwnSession } from '../../lib/profile/schema';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { App, Server } from '../server';
import { sessionOf } from '../http/access';
import { linkOrigin } from '../http/linkOrigin';
import { notFound, HttpError } from '../http/httpError';
import { on } from '../http/on';
import { passwordChangedMail } from '../mail/accountMails';
import { voidTokens } from '../session/accountTokens';
import { setSessionCookies } from '../session/cookies';
import { requireOwnPassword } from '../session/routes';
import { rememberBrowser } from '../session/startSession';
import { actorOf } from '../audit/actor';
import type { Session } from '../session/session';
import { hashSecret } from '../session/sessions';
import { namesAround } from '../session/users';
import { remakePicture } from './picture';

/** Returns the id under which a user sees a session. The session's token stays in the cookie. */
const sidOf = ({ token }: Session): string => hashSecret(token);

/** Checked in this order, because browsers also name the browsers that they are derived from. */
const browsers: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const systems: readonly [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the browser and system of a User-Agent in words: "Firefox on Windows". */
export function deviceName(userAgent: string | null): string {
  const named = (signs: readonly [RegExp, string][]): string | undefined =>
    signs.find(([sign]) => sign.test(userAgent ?? ''))?.[1];
  const browser = named(browsers) ?? 'Unknown browser';
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** A user's own account: names, password, picture and sessions. */
export async function profileRoutes(app: App, server: Server): Promise<void> {
  const { store, passwords, sessions, now, env, mailer } = server;

  on(app, 'changeProfile', async (request) => {
    const session = sessionOf(request);
    await store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set(request.body).where('id', '=', session.user.id).execute();
      await auditDone(transaction, now(), actorOf(request), 'change_profile', ['user', session.user.id]);
    });
    await sessions.reload([session.user.id]);
    return session.user;
  });

  on(app, 'changePassword', async (request, reply) => {
    await requireOwnPassword(server, request, request.body.current);
    const passwordHash = await passwords.hashNew(
      request.body.password,
      await namesAround(store, sessionOf(request).user.id),
    );
    const { session, secret } = await sessions.rotate(sessionOf(request), true, {
      now: async (transaction, rotated) => {
        await transaction
          .updateTable('users')
          .set({ password_hash: passwordHash, link_notice: 0 })
          .where('id', '=', rotated.user.id)
          .execute();
        // A reset link that was requested under the old password becomes void.
        await voidTokens(transaction, now(), { userId: rotated.user.id });
        // The person who guessed the old one may use one of these browsers.
        await transaction.deleteFrom('known_browsers').where('user_id', '=', rotated.user.id).execute();
        await auditDone(transaction, now(), actorOf(request), 'change_password', ['user', rotated.user.id]);
      },
    });
    setSessionCookies(reply, request, env, { session, secret });
    await rememberBrowser(server, request, reply, session.user);
    // To the owner, also because someone else may have done it.
    void mailer.send(passwordChangedMail(session.user.email, `${linkOrigin(request, env)}${paths.resetPassword}`));
  });

  on(app, 'seePasswordLink', async (request) => {
    const session = sessionOf(request);
    await store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ link_notice: 0 }).where('id', '=', session.user.id).execute();
      await auditDone(transaction, now(), actorOf(request), 'see_password_link', ['user', session.user.id]);
    });
    await sessions.reload([session.user.id]);
  });

  on(app, 'listOwnSessions', (request) => {
    const own = sessionOf(request);
    const items = sessions.ofUser(own.user.id).map((session): OwnSession => ({
      sid: sidOf(session),
      device: deviceName(session.userAgent),
      ip: session.ip,
      startedAt: toInstant(session.startedAt),
      lastUsedAt: toInstant(session.lastInputAt),
      isLocked: sessions.isLocked(session),
      isCurrent: session === own,
    }));
    return { items, total: items.length };
  });

  on(app, 'endOtherSessions', async (request) => {
    const own = sessionOf(request);
    await sessions.endAll(own.user.id, own.token, (transaction) =>
      auditDone(transaction, now(), actorOf(request), 'end_session', ['user', own.user.id], { which: 'all others' }),
    );
  });

  on(app, 'endOwnSession', async (request) => {
    const own = sessionOf(request);
    const ended = sessions.ofUser(own.user.id).find((session) => sidOf(session) === request.params.sid);
    if (ended === undefined) {
      throw notFound();
    }
    const which = ended.token.slice(0, 8);
    await sessions.end(ended.token, (transaction) =>
      auditDone(transaction, now(), actorOf(request), 'end_session', ['user', own.user.id], { which }),
    );
  });

  /** Stores a picture, or removes it, and returns the user after that. */
  async function keepPicture(request: FastifyRequest, png: Buffer | null): Promise<User> {
    const session = sessionOf(request);
    const { id } = session.user;
    const changedAt = now();
    await store.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('user_pictures').where('user_id', '=', id).execute();
      if (png !== null) {
        await transaction.insertInto('user_pictures').values({ user_id: id, png, changed_at: changedAt }).execute();
      }
      await transaction
        .updateTable('users')
        .set({ user_image: png === null ? null : `/api/v2/users/${id}/picture?v=${changedAt}` })
        .where('id', '=', id)
        .execute();
      await auditDone(transaction, now(), actorOf(request), 'change_picture', ['user', id], { removed: png === null });
    });
    await sessions.reload([id]);
    return session.user;
  }

  on(app, 'removePicture', (request) => keepPicture(request, null));

  on(app, 'getPicture', async (request, reply) => {
    const row = await store.db
      .selectFrom('user_pictures')
      .innerJoin('users', 'users.id', 'user_pictures.user_id')
      .select('png')
      .where('users.id', '=', request.params.id)
      .where('users.site_id', '=', sessionOf(request).user.siteId)
      .executeTakeFirstOrThrow(notFound);
    // Our pages only show it as an image. Opened by its address it is saved as a file.
    void reply
      .type('image/png')
      .header('content-disposition', 'attachment; filename="picture.png"')
      .header('content-security-policy', "default-src 'none'; sandbox");
    return await reply.send(row.png);
  });

  // Its own scope, because only this call takes pictures instead of JSON.
  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      [...pictureTypes],
      { parseAs: 'buffer', bodyLimit: maxPictureBytes },
      (_request, body, done) => {
        done(null, body);
      },
    );
    on(
      scope,
      'changePicture',
      async (request) => {
        const type = pictureTypes.find(
          (each) => request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === each,
        );
        if (type === undefined || !Buffer.isBuffer(request.body)) {
          throw new HttpError(415, 'unsupported_media_type', 'Send a picture as image/png or image/jpeg.');
        }
        return await keepPicture(request, await remakePicture(request.body, type));
      },
      { bodyLimit: maxPictureBytes },
    );
    await Promise.resolve();
  });
}
