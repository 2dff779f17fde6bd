import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { PlainPage } from '../components/layout/PlainPage';
import { SignInForm } from '../components/session/SignInForm';
import { ownPath, paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage<{ next: string | null }>((page, { query }) => {
  const next = ownPath(query.next);
  if (page.setupNeeded) {
    return Promise.resolve(redirectTo(paths.start));
  }
  return Promise.resolve(page.user === null ? { props: { next } } : redirectTo(next ?? paths.dashboard));
});

export default function SignIn({ next }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <PlainPage title="Sign in">
      <Head>
        <title>Sign in - Wardlight</title>
      </Head>
      <SignInForm next={next} />
    </PlainPage>
  );
}
