import type { InferGetServerSidePropsType } from 'next';
import Head from 'next/head';
import { HandoversScreen } from '../components/handoffs/HandoversScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { AntdTheme } from '../components/ui/AntdTheme';
import { signedInPage } from '../store/getPageProps';
import { can } from '../lib/session/can';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default function Handovers({ user, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <AntdTheme>
      <Head>
        <title>Handoffs - Wardlight</title>
      </Head>
      {can(user, 'readNotes') ? (
        <HandoversScreen user={user} now={now} />
      ) : (
        <NoPatientAccess title="Handoffs" user={user} />
      )}
    </AntdTheme>
  );
}
