import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { UnitsScreen } from '../../components/admin/UnitsScreen';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Units({ user }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <>
      <Head>
        <title>Units - Wardlight</title>
      </Head>
      {user.may.includes('manageSite') ? <UnitsScreen user={user} /> : <NoAdminAccess title="Units" user={user} />}
    </>
  );
}
