import '../styles/generated/first.css';
import '../styles/globals.css';
import App, { type AppContext, type AppInitialProps, type AppProps } from 'next/app';
import Head from 'next/head';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import { AppShell } from '../components/layout/AppShell';
import { GateBanners } from '../components/layout/GateBanners';
import { InsecureBanner } from '../components/layout/InsecureBanner';
import { OpeningBar } from '../components/layout/OpeningBar';
import { TabPresence } from '../components/layout/TabPresence';
import { useLaterStyles } from '../components/layout/useLaterStyles';
import { SessionGate } from '../components/session/SessionGate';
import { ErrorBoundary } from '../components/ui/ErrorBoundary';
import { WallShell } from '../components/wall/WallShell';
import { AlertStripProvider } from '../hooks/AlertStripProvider';
import { ChatProvider } from '../hooks/ChatProvider';
import { CurrentUserProvider } from '../hooks/CurrentUserProvider';
import { SoundProvider } from '../hooks/SoundProvider';
import { swrConfig } from '../hooks/swrConfig';
import { usePageUser } from '../hooks/usePageUser';
import { paths } from '../lib/paths';
import type { User } from '../lib/session/schema';
import type { PageProps } from '../store/getPageProps';
import { notFoundProps } from '../store/notFoundProps';
import { useStore } from '../store/useStore';

/** Some pages, for example that of an error, come without props of the server. */
type WardlightProps = AppProps<Partial<PageProps>>;

export default function WardlightApp({ Component, pageProps, router }: WardlightProps) {
  const { user, now, insecureTransport = false, lastInputAt = null, sessionEndsAt = null } = pageProps;
  const { isLocked = false, chatKey } = pageProps;
  const store = useStore(pageProps.initialState, user === undefined ? undefined : { user, isLocked });
  useLaterStyles();
  const isSignedIn = user !== undefined && user !== null && now !== undefined;
  const page = (
    <ErrorBoundary resetKey={router.asPath}>
      {isSignedIn ? <SignedInPage page={Component} pageProps={{ ...pageProps, user }} /> : <Component {...pageProps} />}
    </ErrorBoundary>
  );
  const head = (
    <Head>
      <title>Wardlight</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link key="icon" rel="icon" href="/icon.svg" type="image/svg+xml" />
    </Head>
  );
  if (router.pathname === paths.checkIn) {
    // For patients at home: no session of this browser counts there, and nothing is polled.
    return (
      <>
        {head}
        {insecureTransport ? <InsecureBanner /> : null}
        {page}
      </>
    );
  }
  return (
    <>
      {head}
      <Provider store={store}>
        <SWRConfig value={swrConfig}>
          <OpeningBar />
          <CurrentUserProvider user={user} isLockedPage={isLocked}>
            {!isSignedIn ? (
              <>
                {insecureTransport ? <InsecureBanner /> : null}
                {page}
              </>
            ) : (
              <ErrorBoundary resetKey={router.asPath}>
                <ChatProvider apiKey={chatKey}>
                  <AlertStripProvider user={user}>
                    <TabPresence />
                    <SoundProvider user={user}>
                      <SessionGate
                        isWall={router.pathname === paths.wall}
                        initialNow={now}
                        banners={<GateBanners user={user} now={now} sessionEndsAt={sessionEndsAt} />}
                      >
                        {router.pathname === paths.wall ? (
                          <WallShell
                            user={user}
                            now={now}
                            lastInputAt={lastInputAt}
                            sessionEndsAt={sessionEndsAt}
                            insecureTransport={insecureTransport}
                          >
                            {page}
                          </WallShell>
                        ) : (
                          <AppShell
                            user={user}
                            now={now}
                            lastInputAt={lastInputAt}
                            sessionEndsAt={sessionEndsAt}
                            insecureTransport={insecureTransport}
                            hasChat={chatKey != null}
                          >
                            {page}
                          </AppShell>
                        )}
                      </SessionGate>
                    </SoundProvider>
                  </AlertStripProvider>
                </ChatProvider>
              </ErrorBoundary>
            )}
          </CurrentUserProvider>
        </SWRConfig>
      </Provider>
    </>
  );
}

interface SignedInPageProps {
  page: WardlightProps['Component'];
  pageProps: Partial<PageProps> & { user: User };
}

/** Uses the permissions that the user has now. */
function SignedInPage({ page: Page, pageProps }: SignedInPageProps) {
  return <Page {...pageProps} user={usePageUser(pageProps.user)} />;
}

/**
 * Makes every page render for each request; otherwise a page would carry no nonce. It also gives the page of unknown
 * addresses its user: Next allows that page no `getServerSideProps`.
 */
WardlightApp.getInitialProps = async (context: AppContext): Promise<AppInitialProps> => {
  const initial = await App.getInitialProps(context);
  const { pathname, req } = context.ctx;
  return pathname === paths.notFound && req !== undefined ? { pageProps: notFoundProps(req) ?? {} } : initial;
};
