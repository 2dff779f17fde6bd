import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { SignUpScreen } from '../components/session/SignUpScreen';
import { paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage((page) =>
  Promise.resolve(page.setupNeeded ? redirectTo(paths.start) : { props: {} }),
);

export default function SignUp({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Sign up - Wardlight</title>
      </Head>
      <SignUpScreen user={user} />
    </>
  );
}
