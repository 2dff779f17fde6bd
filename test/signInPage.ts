import type { User } from '../lib/session/schema';
import type { UserType } from '../lib/session/userTypes';
import { connect } from './network';
import type { Caller, TestServer } from './testServer';

export interface SignedIn {
  server: TestServer;
  siteId: number;
  /** Who is signed in on the page. */
  caller: Caller;
  user: User;
}

/** Signs in on the page of this test, as a user of a site of its own in the real server. */
export async function signInPage(type: UserType, more: { isAdmin?: boolean; siteId?: number } = {}): Promise<SignedIn> {
  const server = await outside.server();
  const siteId = more.siteId ?? (await server.addSite());
  const caller = await server.signIn(siteId, type, more.isAdmin);
  connect(caller);
  const { body } = await caller.call('GET', '/api/user/getCurrentUser');
  return { server, siteId, caller, user: JSON.parse(body) as User };
}
