import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ResetPasswordScreen } from '../components/session/ResetPasswordScreen';
import { paths } from '../lib/paths';
import { publicPage, redirectTo } from '../store/getPageProps';

export const getServerSideProps = publicPage((page) =>
  Promise.resolve(page.setupNeeded ? redirectTo(paths.start) : { props: {} }),
);

export default function ResetPassword({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Reset password - Wardlight</title>
      </Head>
      <ResetPasswordScreen user={user} />
    </>
  );
}
