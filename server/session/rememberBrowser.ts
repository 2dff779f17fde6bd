import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../server';
import { setKnownCookie } from './cookies';

/** Makes the browser of a request known for a user who has just proved to be one, also after failures elsewhere. */
export async function rememberBrowser(
  { env, throttle }: Pick<Server, 'env' | 'throttle'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  setKnownCookie(reply, request, env, await throttle.knowBrowser(userId, request.ip, request.cookies.known));
}
