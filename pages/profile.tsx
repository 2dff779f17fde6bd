import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { ProfileScreen } from '../components/profile/ProfileScreen';
import { AntdTheme } from '../components/ui/AntdTheme';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Profile({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Profile - Wardlight</title>
      </Head>
      <ProfileScreen user={user} />
    </AntdTheme>
  );
}
