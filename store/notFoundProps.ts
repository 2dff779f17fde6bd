import type { PageRequest } from '../lib/api/pageContext';
import type { SignedInPageProps } from './getPageProps';
import { makeStore } from './index';
import { openSidebar } from './layout/actions';
import { parseSidebar, sidebarOf } from './layout/sidebarCookie';

/**
 * Returns the props of the page of unknown addresses, to which Next gives no `getServerSideProps`: a signed-in user's
 * shell, with the sidebar as in the browser's cookie. Null without a user who may see a page: the page then has no
 * shell.
 */
export function notFoundProps({ wardlight, headers }: PageRequest): SignedInPageProps | null {
  if (wardlight === undefined || wardlight.user === null || wardlight.isLocked) {
    return null;
  }
  const { user, now, insecureTransport, lastInputAt, sessionEndsAt, chatKey } = wardlight;
  const store = makeStore();
  if (parseSidebar(sidebarOf(headers.cookie)) === false) {
    store.dispatch(openSidebar());
  }
  return { user, now, insecureTransport, lastInputAt, sessionEndsAt, chatKey, initialState: store.getState() };
}
