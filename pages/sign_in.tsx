import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PlainPage } from '../components/ui/PlainPage';
import { SignInForm } from '../components/session/SignInForm';
import { ownPath, paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage<{ next: string | null; isReset: boolean }>((page, { query }) => {
  const next = ownPath(query.next);
  if (page.setupNeeded) {
    return Promise.resolve(redirectTo(paths.start));
  }
  if (page.isLocked) {
    return Promise.resolve(redirectTo(paths.lockedAndReturn(next ?? paths.dashboard)));
  }
  return Promise.resolve(
    page.user === null ? { props: { next, isReset: query.reset === 'done' } } : redirectTo(next ?? paths.dashboard),
  );
});

export default function SignIn({ next, isReset }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <PlainPage title="Sign in">
      <Head>
        <title>Sign in - Wardlight</title>
      </Head>
      <div role="status">
        {isReset ? 'Your password was changed and all your sessions have ended. Sign in with the new password.' : null}
      </div>
      <SignInForm next={next} />
    </PlainPage>
  );
}
