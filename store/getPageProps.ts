import type { GetServerSideProps, GetServerSidePropsContext, GetServerSidePropsResult } from 'next';
import { pageContext, type PageContext } from '../lib/api/pageContext';
import { ownPath, paths } from '../lib/paths';
import type { User } from '../lib/session/schema';
import { wrapper } from './index';
import type { RootState } from './reducers';
import { openSidebar } from './layout/actions';
import { parseSidebar, sidebarCookie } from './layout/sidebarCookie';

/** The props of every page. The store of the page begins with its user (`makeStore`). */
export interface PageProps {
  user: User | null;
  /** The server's time, epoch milliseconds. */
  now: number;
  insecureTransport: boolean;
  /** The public key of the chat service; null: no chat. Only pages of signed-in users know it. */
  chatKey?: string | null;
  /** When the user last touched a page of this session, epoch milliseconds; null if no one is signed in. */
  lastInputAt: number | null;
  /** When the session ends by itself, epoch milliseconds; null if there is none. */
  sessionEndsAt: number | null;
  /** The session waits for its user's password: only the lock screen is shown. */
  isLocked?: true;
  /** The server's store, for `useStore`; the wrapper adds it. */
  initialState?: RootState;
}

/** The props of a page for signed-in users. */
export interface SignedInPageProps extends PageProps {
  user: User;
}

type SignedInContext = PageContext & { user: User };
/**
 * Reads what a page needs in addition. Its result is Next's own: `props`, a redirect (see `redirectTo`), or not found.
 */
type Load<Page, Extra> = (page: Page, context: GetServerSidePropsContext) => Promise<GetServerSidePropsResult<Extra>>;

/** Returns the result that redirects to another of our own addresses. */
export function redirectTo(destination: string): { redirect: { destination: string; permanent: false } } {
  return { redirect: { destination, permanent: false } };
}

/**
 * Returns `getServerSideProps` of a page for signed-in users. Anyone else is redirected to sign-in and returns to the
 * wanted address afterwards; a user whose session is locked is redirected to the lock screen. Both happen before
 * anything is read. Before the first user exists everyone is redirected to the start, which offers to set the
 * installation up.
 */
export function signedInPage<Extra extends object>(
  load: Load<SignedInContext, Extra>,
): GetServerSideProps<SignedInPageProps & Extra> {
  return async (context) => {
    const page = pageContext(context.req);
    if (page.setupNeeded) {
      return redirectTo(paths.start);
    }
    if (!isSignedIn(page)) {
      return redirectTo(paths.signInAndReturn(context.resolvedUrl));
    }
    if (page.isLocked) {
      return redirectTo(paths.lockedAndReturn(context.resolvedUrl));
    }
    const loaded = await load(page, context);
    if (!('props' in loaded)) {
      return loaded;
    }
    return await withStore<SignedInPageProps & Extra>({
      ...(await loaded.props),
      ...shared(page),
      chatKey: page.chatKey,
      user: page.user,
    })(context);
  };
}

/**
 * Returns `getServerSideProps` of a public page, for example sign-in. A locked session counts as no user there, so that
 * users who forgot their password can reset it.
 */
export function publicPage<Extra extends object>(
  load: Load<PageContext, Extra>,
): GetServerSideProps<PageProps & Extra> {
  return async (context) => {
    const page = pageContext(context.req);
    const loaded = await load(page, context);
    if (!('props' in loaded)) {
      return loaded;
    }
    return await withStore<PageProps & Extra>({
      ...(await loaded.props),
      ...shared(page),
      user: page.isLocked ? null : page.user,
    })(context);
  };
}

/** `getServerSideProps` of the lock screen's own page, to which a locked session is redirected from every other one. */
export const lockedPage: GetServerSideProps<PageProps> = async (context) => {
  const page = pageContext(context.req);
  return isSignedIn(page) && page.isLocked
    ? await withStore<PageProps>({ ...shared(page), user: page.user, isLocked: true })(context)
    : redirectTo(ownPath(context.query.next) ?? paths.start);
};

/** Adds a store of this request's own, with the sidebar as in the browser's cookie. */
function withStore<Props extends PageProps>(props: Props): GetServerSideProps<Props> {
  return wrapper.getServerSideProps<Props>((store) => ({ req }) => {
    if (parseSidebar(req.cookies[sidebarCookie]) === false) {
      store.dispatch(openSidebar());
    }
    return Promise.resolve({ props });
  });
}

function shared({
  now,
  insecureTransport,
  lastInputAt,
  sessionEndsAt,
}: PageContext): Pick<PageProps, 'now' | 'insecureTransport' | 'lastInputAt' | 'sessionEndsAt'> {
  return { now, insecureTransport, lastInputAt, sessionEndsAt };
}

function isSignedIn(page: PageContext): page is SignedInContext {
  return page.user !== null;
}
