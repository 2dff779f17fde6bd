import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ProfileScreen } from '../components/profile/ProfileScreen';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Profile({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Profile - Wardlight</title>
      </Head>
      <ProfileScreen user={user} />
    </>
  );
}
