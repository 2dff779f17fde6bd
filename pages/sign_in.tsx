import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PlainPage } from '../components/ui/PlainPage';
import { SignInForm } from '../components/session/SignInForm';
import { NotShowingPatients } from '../components/ui/NotShowingPatients';
import { isWall, ownPath, paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage<{
  next: string | null;
  isReset: boolean;
  endedAt: string | null;
  isKnownBrowser: boolean;
}>((page, { query, req }) => {
  const next = ownPath(query.next);
  const endedAt = typeof query.ended === 'string' && /^\d\d:\d\d$/.test(query.ended) ? query.ended : null;
  if (page.setupNeeded) {
    return Promise.resolve(redirectTo(paths.start));
  }
  if (page.isLocked) {
    return Promise.resolve(redirectTo(paths.lockedAndReturn(next ?? paths.dashboard)));
  }
  return Promise.resolve(
    page.user === null
      ? { props: { next, isReset: query.reset === 'done', endedAt, isKnownBrowser: req.cookies.known !== undefined } }
      : redirectTo(next ?? paths.dashboard),
  );
});

export default function SignIn({
  next,
  isReset,
  endedAt,
  isKnownBrowser,
}: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const isOfWall = next !== null && isWall(next);
  return (
    <>
      {isOfWall ? (
        <NotShowingPatients since={endedAt}>
          Sign in again. Until then look at the patients and the bedside monitors.
        </NotShowingPatients>
      ) : null}
      <PlainPage title="Sign in" hasStatement={!isKnownBrowser}>
        <Head>
          <title>Sign in - Wardlight</title>
        </Head>
        {isOfWall || endedAt === null ? null : (
          <p role="alert">
            <strong>This screen shows and sounds no alerts since {endedAt}.</strong> The session had ended by then.
          </p>
        )}
        <div role="status">
          {isReset
            ? 'Your password was changed and all your sessions have ended. Sign in with the new password.'
            : null}
        </div>
        <SignInForm next={next} />
      </PlainPage>
    </>
  );
}
